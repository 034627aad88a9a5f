package org.jellyspark.log.index

import java.nio.charset.StandardCharsets.US_ASCII

import org.jellyspark.log.files.{Gzip, Json, Lines}

/** A segment of a log's index in memory: the text of blocks that follow each other, of which only
  * the needed ones are parsed.
  *
  * @param text
  *   the lines of the blocks
  * @param ends
  *   where the blocks begin and end in the text
  * @param firsts
  *   the position of the first patch of each block, and of the patch after the last one
  * @param name
  *   the name of the file, for messages
  */
private[log] final class Segment private (
    text: Array[Byte],
    ends: IndexedSeq[Int],
    firsts: IndexedSeq[Long],
    name: String
) {
  // The block that was parsed last.
  private[this] var last: Option[Block] = None

  /** The position of the first patch. */
  def first: Long = firsts.head

  /** The position of the patch after the last one. */
  def next: Long = firsts.last

  /** Returns the block with the patch at a position of the segment; none if it is damaged. */
  def block(position: Long): Option[Block] = synchronized {
    val at = firsts.search(position) match {
      case scala.collection.Searching.Found(index)          => index
      case scala.collection.Searching.InsertionPoint(index) => index - 1
    }
    last.filter(_.first == firsts(at)).orElse {
      last = Block
        .parse(text, ends(at), ends(at + 1), name)
        .filter(block => block.first == firsts(at) && block.next == firsts(at + 1))
      last
    }
  }

  /** Returns the position of the last patch with an id that is before the position `end`. The id is
    * searched for in the text.
    */
  def find(id: String, end: Long): Option[Long] = {
    val wanted = s"\n${Block.startOfEntry(id)}".getBytes(US_ASCII)
    Iterator
      .iterate(Lines.lastIndexOf(text, wanted, text.length))(Lines.lastIndexOf(text, wanted, _))
      .takeWhile(_ >= 0)
      .map { at =>
        val block = ends.lastIndexWhere(_ <= at)
        firsts(block) + Lines.count(text, ends(block), at)
      }
      .find(_ < end)
  }
}

private[log] object Segment {

  /** Returns a segment, given its compressed bytes; none if they are damaged.
    *
    * @param name
    *   the name of the file, for messages
    * @throws org.jellyspark.LogException
    *   if a block is of a newer version
    */
  def load(bytes: Array[Byte], name: String): Option[Segment] =
    Json.attempt(of(Gzip.decompress(bytes), name)).toOption

  private def of(text: Array[Byte], name: String): Segment = {
    val ends = Lines.starts(text, '{')
    val firsts = ends.zip(ends.tail).foldLeft(Vector[Long]()) { case (found, (start, end)) =>
      val head = Block.parse(text, start, Lines.end(text, start), name)
      val first = head.map(_.first).getOrElse(-1L)
      val count = Lines.count(text, start, end) - 1
      val follows = first >= 0 && found.lastOption.forall(_ == first)
      Json.check(follows && count > 0, "the next block", first)
      found.dropRight(1) :+ first :+ (first + count)
    }
    new Segment(text, ends, firsts, name)
  }
}
