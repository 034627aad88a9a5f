package org.jellyspark.source

import java.io.{Closeable, FileNotFoundException}
import java.time.Instant

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{CommonPathCapabilities, FileStatus}
import org.apache.spark.sql.execution.datasources.PartitionedFile

import org.jellyspark.JellySparkException

/** Checks that a file is the one that Spark planned to read: that it still has the length and the
  * modification time of then.
  *
  * Tasks read a file at different times, and one of them may not read all of it. Without the check,
  * rows of two files would be mixed, or be lost behind the length that was planned, without an
  * error. Object stores with entity tags are left out: asking them is a request, and their readers
  * notice a change by the tag.
  */
private[source] final class UnchangedFile(file: PartitionedFile, conf: Configuration) {
  private[this] val path = file.toPath

  /** The rows of the file, between two checks.
    *
    * @throws org.jellyspark.JellySparkException
    *   if the file has changed; the iterator raises it, too, at its end
    */
  def guard[A](rows: => Iterator[A]): Iterator[A] =
    if (path.getFileSystem(conf).hasPathCapability(path, CommonPathCapabilities.ETAGS_AVAILABLE))
      rows
    else {
      check()
      new GuardedIterator(rows, () => checkAtEnd())
    }

  /** A file that is gone was read to its end before. */
  private def checkAtEnd(): Unit =
    try check()
    catch { case _: FileNotFoundException => }

  private def check(): Unit = {
    val now = path.getFileSystem(conf).getFileStatus(path)
    // Spark leaves 0 where it does not know.
    val isSame = (file.fileSize <= 0 || now.getLen == file.fileSize) &&
      (file.modificationTime <= 0 || now.getModificationTime == file.modificationTime)
    if (!isSame) throw new JellySparkException(message(now))
  }

  private def message(now: FileStatus): String =
    s"${file.urlEncodedPath} changed after it was listed for this query: expected " +
      s"${describe(file.fileSize, file.modificationTime)}, found " +
      s"${describe(now.getLen, now.getModificationTime)}; load it again, or run REFRESH TABLE, " +
      "and replace files by files with new names"

  private def describe(length: Long, modified: Long): String =
    s"$length bytes of ${Instant.ofEpochMilli(modified)}"
}

/** Calls a function at the end of other rows. */
private final class GuardedIterator[A](rows: Iterator[A], atEnd: () => Unit)
    extends Iterator[A]
    with Closeable {
  private[this] var isOver = false

  override def hasNext: Boolean = {
    val found = rows.hasNext
    if (!found && !isOver) {
      isOver = true
      atEnd()
    }
    found
  }

  override def next(): A = rows.next()

  override def close(): Unit = rows match {
    case closeable: Closeable => closeable.close()
    case _                    =>
  }
}
