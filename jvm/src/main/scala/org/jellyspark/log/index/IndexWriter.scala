package org.jellyspark.log.index

import java.io.{ByteArrayOutputStream, IOException}

import scala.collection.mutable

import org.apache.hadoop.fs.Path
import org.slf4j.LoggerFactory

import org.jellyspark.JellySparkException
import org.jellyspark.log.entries.LogEntry
import org.jellyspark.log.files.LogFiles

/** Writes the index of a managed log: new patches, segments and the tail. It can be used from
  * several threads.
  *
  * @param files
  *   the files of the log
  * @param index
  *   its index
  */
private[log] final class IndexWriter(files: LogFiles, val index: LogIndex) {
  import IndexWriter._

  /** Creates the next patch from a staged file; none if its name is taken.
    *
    * @param source
    *   the staged file
    * @param entry
    *   the entry of the patch. Its file gets the time of the entry, because readers take it from
    *   there if the index lacks the patch.
    */
  def createNext(source: Path, entry: LogEntry): Option[LogEntry] = index.synchronized {
    if (!files.create(entry.file, source, entry.time)) None
    else {
      index.lookAtSettings()
      if (index.next < index.begin || entry.position != index.next) {
        // The name was free because the patch that had it has expired.
        files.remove(entry.file)
        None
      } else {
        index.add(entry)
        log.debug(s"${files.path(entry.file)}: appended ${entry.id}, ${entry.size} bytes")
        Some(entry)
      }
    }
  }

  /** Writes the entries: complete blocks as segments, and the tail.
    *
    * If this is not possible, there is a warning in the log of the JVM, because the patches are
    * stored.
    */
  def save(): Unit = index.synchronized {
    try {
      val merged = mutable.ArrayBuffer[String]()
      while (index.tail.next >= IndexFiles.blockEnd(index.tail.first)) {
        if (index.tail.first == index.tail.begin) saveAll() else merged ++= saveBlock()
      }
      files.replace(IndexFiles.Tail, index.tail.dump)
      // Whoever reads an older tail finds that these are missing, and reads it again.
      merged.foreach(files.remove)
    } catch {
      case e @ (_: IOException | _: JellySparkException) =>
        log.warn(
          s"${files.path(LogFiles.Own)} cannot be written to ($e). The log works without an index " +
            "there, but each program reads all new patches again"
        )
    }
  }

  /** Moves all complete blocks from the tail, which has all entries, to segments. Segments that are
    * there may be damaged.
    */
  private def saveAll(): Unit =
    IndexFiles.segments(index.tail.begin, index.tail.next).foreach { positions =>
      val blocks = Iterator.unfold(index.tail.until(positions.end)) { rest =>
        val end = math.min(IndexFiles.blockEnd(rest.first), rest.next)
        Option.when(rest.entries.nonEmpty)((rest.until(end).dump, rest.from(end)))
      }
      files.replace(IndexFiles.segment(positions), concatenate(blocks))
      index.moveTail(positions.end)
    }

  /** Moves a block from the tail to a segment; returns the files of those merged into it. */
  private def saveBlock(): Seq[String] = {
    val tail = index.tail
    val end = IndexFiles.blockEnd(tail.first)
    val positions = IndexFiles.segments(tail.begin, end).toSeq.lastOption
    val merged = IndexFiles
      .segments(tail.begin, tail.first)
      .filter(each => positions.exists(_.start <= each.start))
      .map(IndexFiles.segment)
      .toSeq
    def isSaved(name: String) =
      files.has(name) || writeMerged(name, merged, tail.until(end)) || files.has(name)
    // If all patches of the block have expired, it needs no segment.
    if (positions.map(IndexFiles.segment).forall(isSaved)) {
      index.moveTail(end)
      merged
    } else {
      index.refresh()
      Nil
    }
  }

  /** Writes a segment; returns false if others have merged the segments before it, or they are
    * lost.
    */
  private def writeMerged(name: String, merged: Seq[String], block: Block): Boolean = {
    val before = merged.map(files.read)
    val isComplete = before.forall(_.isDefined)
    if (isComplete)
      files.replace(name, concatenate(before.flatten.iterator ++ Iterator(block.dump)))
    isComplete
  }
}

private object IndexWriter {
  private val log = LoggerFactory.getLogger(classOf[IndexWriter])

  private def concatenate(parts: Iterator[Array[Byte]]): Array[Byte] = {
    val all = new ByteArrayOutputStream
    parts.foreach(all.writeBytes)
    all.toByteArray
  }
}
