package org.jellyspark.source.files

import java.io.{Closeable, FileNotFoundException}
import java.time.Instant

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{CommonPathCapabilities, FileStatus}
import org.apache.spark.sql.execution.datasources.PartitionedFile

import org.jellyspark.JellySparkException

/** Checks that a file still has the length and modification time that it had when Spark planned the
  * query.
  *
  * Tasks read a file at different times, and several tasks may share a file. Without the check, a
  * query could silently mix the rows of two versions, or lose rows after the planned length. Object
  * stores with entity tags are not checked: a check would cost a request, and their readers detect
  * changes by the tag.
  */
private[source] final class UnchangedFile(file: PartitionedFile, conf: Configuration) {
  private[this] val path = file.toPath

  /** Returns the rows of the file, and checks the file before the first row and after the last one.
    *
    * @throws org.jellyspark.JellySparkException
    *   if the file has changed; the returned iterator also throws it at its end
    */
  def guard[A](rows: => Iterator[A]): Iterator[A] =
    if (path.getFileSystem(conf).hasPathCapability(path, CommonPathCapabilities.ETAGS_AVAILABLE))
      rows
    else {
      check()
      new GuardedIterator(rows, () => checkAtEnd())
    }

  /** Ignores a file that no longer exists: all its rows have been read. */
  private def checkAtEnd(): Unit =
    try check()
    catch { case _: FileNotFoundException => }

  private def check(): Unit = {
    val now = path.getFileSystem(conf).getFileStatus(path)
    // Spark leaves a value at 0 if it does not know it.
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

/** Calls a function at the end of another iterator. */
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
