package org.jellyspark.log.files

import java.io.{File, IOException, OutputStream}
import java.nio.channels.FileChannel
import java.nio.file.{
  AccessDeniedException,
  FileAlreadyExistsException,
  FileSystemException,
  Files,
  Path => LocalPath
}
import java.nio.file.StandardCopyOption.{ATOMIC_MOVE, REPLACE_EXISTING}
import java.nio.file.StandardOpenOption.{READ, WRITE}
import java.nio.file.attribute.FileTime
import java.security.SecureRandom
import java.time.Instant

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{
  FileAlreadyExistsException => HadoopFileAlreadyExistsException,
  FileContext,
  FSDataOutputStream,
  FileSystem,
  Options,
  Path
}
import org.apache.hadoop.util.VersionInfo

import org.jellyspark.OptionException

/** Creates and replaces the files of a log, each completely or not at all. */
private[log] trait Publisher {

  /** Creates a file from a staged one, unless its name is taken. It survives a crash of the
    * machine.
    *
    * @param source
    *   the staged file, which may be gone afterwards
    * @param target
    *   the new file
    * @param time
    *   its modification time, if the file system can set it
    * @return
    *   whether it was created. If several programs try at once, one of them succeeds.
    * @throws org.jellyspark.OptionException
    *   if the file system cannot do this
    */
  def create(source: Path, target: Path, time: Instant): Boolean

  /** Creates or overwrites a file. */
  def replace(target: Path, content: Array[Byte]): Unit
}

private[log] object Publisher {
  private val random = new SecureRandom

  /** Returns the publisher of a file system.
    *
    * @param own
    *   the folder for all files of the log that are not patches
    * @param conf
    *   the settings of the file system
    * @throws org.jellyspark.OptionException
    *   if the file system cannot create a file only if it does not exist
    */
  def of(fileSystem: FileSystem, own: Path, conf: Configuration): Publisher =
    fileSystem.getUri.getScheme match {
      case "file"            => new LocalPublisher(own)
      case "hdfs" | "viewfs" => new RenamingPublisher(fileSystem, own, conf)
      case "s3a" if fileSystem.hasPathCapability(own, ConditionalCreate) =>
        new ConditionalPublisher(fileSystem)
      case _ =>
        throw new OptionException(
          s"no patch can be appended at ${own.getParent}: this needs to create a file only if it " +
            "does not exist, which is supported in local file systems, in HDFS, and in S3 (s3a://) " +
            s"with Hadoop 3.4.2 or later; this is Hadoop ${VersionInfo.getVersion}"
        )
    }

  /** Returns the path of a new folder for temporary files. What killed programs leave there is
    * removed by `Log.vacuum`, after a day.
    */
  def newStaging(own: Path): Path = new Path(own, f"staging-${random.nextLong()}%016x")

  /** The option of S3A to create a file only if it does not exist; in Hadoop since 3.4.2. */
  private final val ConditionalCreate = "fs.option.create.conditional.overwrite"

  /** Publishes in the local file system. A new file is a hard link, which never overwrites a file,
    * unlike a rename. Hadoop's classes would write files with checksums beside the files.
    */
  private final class LocalPublisher(own: Path) extends Publisher {

    override def create(source: Path, target: Path, time: Instant): Boolean = {
      val (from, to) = (local(source), local(target))
      val folder = to.getParent
      val isNewFolder = !Files.exists(folder)
      Files.setLastModifiedTime(from, FileTime.from(time))
      flush(FileChannel.open(from, WRITE))
      Files.createDirectories(folder)
      val isCreated = link(from, to)
      if (isCreated) folders(folder).take(if (isNewFolder) Levels else 1).foreach(flushFolder)
      isCreated
    }

    private def link(from: LocalPath, to: LocalPath): Boolean =
      try {
        Files.createLink(to, from)
        true
      } catch {
        case _: FileAlreadyExistsException    => false
        case e: UnsupportedOperationException => throw noLinks(to, e.getMessage)
        case e: FileSystemException if NoLinks.contains(e.getReason) =>
          throw noLinks(to, e.getReason)
      }

    private def noLinks(file: LocalPath, reason: String) = new OptionException(
      s"no patch can be appended in ${file.getParent}: this needs hard links, which ext4, XFS, " +
        s"Btrfs, ZFS, APFS, NTFS and NFS have, and this file system has not ($reason)"
    )

    override def replace(target: Path, content: Array[Byte]): Unit = {
      val (to, staging) = (local(target), local(newStaging(own)))
      val from = staging.resolve(to.getFileName)
      Files.createDirectories(to.getParent)
      Files.createDirectories(staging)
      try {
        Files.write(from, content)
        Files.move(from, to, ATOMIC_MOVE, REPLACE_EXISTING)
      } finally {
        Files.deleteIfExists(from)
        Files.deleteIfExists(staging)
      }
    }

    private def local(path: Path): LocalPath = new File(path.toUri.getPath).toPath

    private def folders(folder: LocalPath) =
      Iterator.iterate(folder)(_.getParent).takeWhile(_ != null)

    /** Flushes a folder to disk, so that new names in it survive a crash; Windows cannot do it. */
    private def flushFolder(folder: LocalPath): Unit =
      try flush(FileChannel.open(folder, READ))
      catch { case _: AccessDeniedException => }

    private def flush(channel: FileChannel): Unit =
      try channel.force(true)
      finally channel.close()
  }

  /** The number of folders that may be new if one is: `_log/format`, and those above it up to the
    * one that the folder of the log is in.
    */
  private final val Levels = 4

  /** What systems say if a file system has no hard links. */
  private val NoLinks =
    Set("Function not implemented", "Operation not supported", "Operation not permitted")

  /** Publishes in HDFS, where a rename does not overwrite a file, if it is told so. */
  private[log] final class RenamingPublisher(fileSystem: FileSystem, own: Path, conf: Configuration)
      extends Publisher {
    private[this] val context = FileContext.getFileContext(fileSystem.getUri, conf)

    override def create(source: Path, target: Path, time: Instant): Boolean = {
      fileSystem.setTimes(source, time.toEpochMilli, -1)
      fileSystem.mkdirs(target.getParent)
      try {
        context.rename(source, target, Options.Rename.NONE)
        true
      } catch {
        case _: HadoopFileAlreadyExistsException => false
      }
    }

    override def replace(target: Path, content: Array[Byte]): Unit = {
      val staging = newStaging(own)
      val source = new Path(staging, target.getName)
      fileSystem.mkdirs(target.getParent)
      try {
        write(fileSystem, source, content)
        context.rename(source, target, Options.Rename.OVERWRITE)
      } finally fileSystem.delete(staging, true)
    }
  }

  /** Publishes in S3, where an object appears when it is complete, by requests with `If-None-Match:
    * *`.
    */
  private final class ConditionalPublisher(fileSystem: FileSystem) extends Publisher {

    override def create(source: Path, target: Path, time: Instant): Boolean =
      create(source, target, Attempts)

    private def create(source: Path, target: Path, attempts: Int): Boolean =
      try {
        copy(source, target)
        true
      } catch {
        case e: IOException =>
          // S3A asks again if a response is lost, and is then told that the object exists.
          if (fileSystem.exists(target)) digest(source) == digest(target)
          else if (attempts > 1 && isConflict(e)) {
            Thread.sleep(Pause)
            create(source, target, attempts - 1)
          } else throw e
      }

    private def copy(source: Path, target: Path): Unit = {
      val in = fileSystem.open(source)
      try {
        val out = fileSystem.createFile(target).recursive().must(ConditionalCreate, true).build()
        fill(out)(in.transferTo(_): Unit)
      } finally in.close()
    }

    private def fill(out: FSDataOutputStream)(write: OutputStream => Unit): Unit = {
      try write(out)
      catch {
        case NonFatal(e) =>
          // To close it would create an object of what was written so far.
          out.abort()
          throw e
      }
      out.close()
    }

    private def digest(path: Path): String = {
      val in = Sha256.stream(fileSystem.open(path))
      try Sha256.ofAll(in)
      finally in.close()
    }

    /** Whether this is how S3 may answer concurrent requests for the same name. */
    private def isConflict(error: IOException): Boolean =
      String.valueOf(error.getMessage).contains("Status Code: 409")

    override def replace(target: Path, content: Array[Byte]): Unit =
      fill(fileSystem.create(target, true))(_.write(content))
  }

  private final val Attempts = 8

  /** In milliseconds. */
  private final val Pause = 100L

  /** Creates or overwrites a file, which is not atomic in all file systems. */
  private[log] def write(fileSystem: FileSystem, path: Path, content: Array[Byte]): Unit = {
    val out = fileSystem.create(path, true)
    try out.write(content)
    finally out.close()
  }
}
