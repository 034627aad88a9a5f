package org.jellyspark.jelly

import com.google.protobuf.CodedInputStream

/** The ranges of a file between its restart points. */
object Ranges {

  def points(bytes: Array[Byte]): Seq[RestartPoint] = RestartIndex.read(new MemoryFile(bytes))

  /** The bytes of each range; the first is what stands before the first point. */
  def of(bytes: Array[Byte]): Seq[Array[Byte]] = {
    val starts = 0 +: points(bytes).map(_.offset.toInt)
    starts.zip(starts.drop(1) :+ bytes.length).map { case (from, to) => bytes.slice(from, to) }
  }

  /** The number of frames of delimited bytes. */
  def frames(bytes: Array[Byte]): Int = framesOf(bytes).length

  /** Where the frames of delimited bytes end that have rows. */
  def endsOfRows(bytes: Array[Byte]): Seq[Int] =
    framesOf(bytes).collect { case (end, true) => end }

  /** Where each frame ends, and whether it has rows. */
  private def framesOf(bytes: Array[Byte]): Seq[(Int, Boolean)] = {
    val in = CodedInputStream.newInstance(bytes)
    Iterator
      .continually(in)
      .takeWhile(!_.isAtEnd)
      .map { in =>
        val length = in.readRawVarint32()
        val start = in.getTotalBytesRead
        in.skipRawBytes(length)
        (start + length, length > 0 && bytes(start) == Wire.lengthTag(Wire.FrameRows))
      }
      .toList
  }
}
