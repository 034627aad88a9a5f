package org.jellyspark.log

import java.io.{FileNotFoundException, InputStream}
import java.time.Instant

import scala.collection.mutable

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, ParentNotDirectoryException, Path, PathIOException}

/** The files in the folder of a log. A name is a path relative to the folder.
  *
  * @param folder
  *   the path or URL of the folder
  */
private[log] final class LogFiles(folder: String, conf: Configuration) {
  import LogFiles._

  private[this] val fileSystem = new Path(folder).getFileSystem(conf)
  private[this] val root =
    fileSystem.makeQualified(new Path(folder)).toString.stripSuffix("/")

  /** Returns the full path or URL of a file. */
  def path(name: String): String = s"$root/$name"

  /** Whether there is a file. */
  def has(name: String): Boolean = fileSystem.exists(new Path(path(name)))

  /** Opens a file.
    *
    * @throws java.io.FileNotFoundException
    *   if it does not exist
    */
  def open(name: String): InputStream = fileSystem.open(new Path(path(name)))

  /** Returns when a file was last modified, and its size in bytes. */
  def modified(name: String): (Instant, Long) = {
    val status = fileSystem.getFileStatus(new Path(path(name)))
    (Instant.ofEpochMilli(status.getModificationTime), status.getLen)
  }

  /** Returns the content of a small file; none if it does not exist. */
  def read(name: String): Option[Array[Byte]] = read(name, Attempts)

  private def read(name: String, attempts: Int): Option[Array[Byte]] =
    try {
      val in = open(name)
      try Some(in.readAllBytes())
      finally in.close()
    } catch {
      case _: FileNotFoundException | _: ParentNotDirectoryException => None
      // S3A says so if the file was replaced after it was opened.
      case _: PathIOException if attempts > 1 => read(name, attempts - 1)
    }

  /** Returns the names of the files directly in a folder, with their sizes in bytes; nothing if the
    * folder does not exist.
    *
    * @param subfolder
    *   relative to the folder of the log
    */
  def list(subfolder: String): Map[String, Long] = {
    val found = mutable.HashMap[String, Long]()
    try {
      val each = fileSystem.listStatusIterator(new Path(path(subfolder)))
      while (each.hasNext) {
        val status: FileStatus = each.next()
        if (status.isFile) found(status.getPath.getName) = status.getLen
      }
    } catch {
      case _: FileNotFoundException | _: ParentNotDirectoryException =>
    }
    found.toMap
  }
}

private[log] object LogFiles {

  /** The folder for all files of a log that are not patches. */
  val Own = "_log"

  private final val Attempts = 3
}
