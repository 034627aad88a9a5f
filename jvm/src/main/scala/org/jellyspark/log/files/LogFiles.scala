package org.jellyspark.log.files

import java.io.{FileNotFoundException, IOException, InputStream}
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
  private[this] val own = new Path(path(Own))
  private[this] lazy val publisher = Publisher.of(fileSystem, own, conf)

  /** Returns the full path or URL of a file. */
  def path(name: String): String = s"$root/$name"

  /** Whether there is a file. */
  def has(name: String): Boolean = fileSystem.exists(new Path(path(name)))

  /** Opens a file.
    *
    * @throws java.io.FileNotFoundException
    *   if it does not exist
    */
  def open(path: Path): InputStream = fileSystem.open(path)

  /** Returns when a file was last modified, and its size in bytes. */
  def modified(path: Path): (Instant, Long) = {
    val status = fileSystem.getFileStatus(path)
    (Instant.ofEpochMilli(status.getModificationTime), status.getLen)
  }

  /** Returns the content of a small file; none if it does not exist. */
  def read(name: String): Option[Array[Byte]] = read(name, Attempts)

  private def read(name: String, attempts: Int): Option[Array[Byte]] =
    try {
      val in = open(new Path(path(name)))
      try Some(in.readAllBytes())
      finally in.close()
    } catch {
      case _: FileNotFoundException | _: ParentNotDirectoryException => None
      // S3A says so if the file was replaced after it was opened.
      case _: PathIOException if attempts > 1 => read(name, attempts - 1)
    }

  /** Whether there are patches, of a managed log or not. */
  def havePatches: Boolean = list("").keys.exists(PatchNames.isPatch)

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

  /** Returns the path of a new folder for temporary files, which is not created. */
  def newStaging(): Path = Publisher.newStaging(own)

  /** Creates a file from a staged one, unless its name is taken; see [[Publisher.create]]. */
  def create(name: String, source: Path, time: Instant): Boolean =
    publisher.create(source, new Path(path(name)), time)

  /** Creates a file, unless its name is taken; see [[Publisher.create]]. */
  def create(name: String, content: Array[Byte], time: Instant): Boolean = {
    val (found, staging) = (publisher, newStaging())
    val source = new Path(staging, "new")
    try {
      Publisher.write(fileSystem, source, content)
      found.create(source, new Path(path(name)), time)
    } finally remove(staging)
  }

  /** Creates or overwrites a file, atomically. */
  def replace(name: String, content: Array[Byte]): Unit =
    publisher.replace(new Path(path(name)), content)

  /** Removes a file, if it exists. */
  def remove(name: String): Unit = remove(new Path(path(name)))

  /** Whether the folder of the log is a file. */
  def isFile: Boolean =
    try fileSystem.getFileStatus(new Path(root)).isFile
    catch { case _: FileNotFoundException => false }

  /** Removes a folder, if it exists and is empty. */
  def removeEmpty(name: String): Unit = {
    val folder = new Path(path(name))
    try if (fileSystem.getFileStatus(folder).isDirectory) fileSystem.delete(folder, false): Unit
    catch { case _: IOException => }
  }

  /** Removes a file, or a folder with all its files, if it exists. */
  def remove(path: Path): Unit = fileSystem.delete(path, true): Unit
}

private[log] object LogFiles {

  /** The folder for all files of a log that are not patches. */
  val Own = "_log"

  private final val Attempts = 3
}
