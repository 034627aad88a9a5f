package org.jellyspark.source.files

import java.io.FileNotFoundException
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

  /** Checks the file before its first row is read.
    *
    * @throws org.jellyspark.JellySparkException
    *   if the file has changed
    */
  def check(): Unit = {
    val fileSystem = path.getFileSystem(conf)
    if (!fileSystem.hasPathCapability(path, CommonPathCapabilities.ETAGS_AVAILABLE)) {
      val now = fileSystem.getFileStatus(path)
      // Spark leaves a value at 0 if it does not know it.
      val isSame = (file.fileSize <= 0 || now.getLen == file.fileSize) &&
        (file.modificationTime <= 0 || now.getModificationTime == file.modificationTime)
      if (!isSame) throw new JellySparkException(message(now))
    }
  }

  /** Like [[check]], after the last row. Ignores a file that no longer exists: all its rows have
    * been read.
    */
  def checkAtEnd(): Unit =
    try check()
    catch { case _: FileNotFoundException => }

  private def message(now: FileStatus): String =
    s"${file.urlEncodedPath} changed after it was listed for this query: expected " +
      s"${describe(file.fileSize, file.modificationTime)}, found " +
      s"${describe(now.getLen, now.getModificationTime)}; load it again, or run REFRESH TABLE, " +
      "and replace files by files with new names"

  private def describe(length: Long, modified: Long): String =
    s"$length bytes of ${Instant.ofEpochMilli(modified)}"
}
