package org.jellyspark.log

import java.io.{FileNotFoundException, IOException}
import java.nio.file.{AccessDeniedException, InvalidPathException, Paths}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, FileSystem, ParentNotDirectoryException, Path}
import org.apache.hadoop.security.AccessControlException

import org.jellyspark.log.files.LogFiles
import org.jellyspark.log.index.{IndexFiles, Settings}

/** Finds the managed logs that a write to a path would damage. In Python, it is
  * `core.files.managed_logs`.
  */
private[jellyspark] object ManagedFolders {

  /** The files of which each makes a folder a managed log: its first settings, and the tail of its
    * index.
    */
  private val Marks = Seq(Settings.file(0), IndexFiles.Tail)

  /** Returns the log whose folder has a path, or is the path. It makes one request for each folder
    * of the path.
    */
  def containing(path: Path, conf: Configuration): Option[Path] = {
    val files = path.getFileSystem(conf)
    val qualified = files.makeQualified(path)
    (qualified +: realPath(files, qualified).toSeq).distinct
      .flatMap(Iterator.iterate(_)(_.getParent).takeWhile(_ != null))
      .find(isLog(files, _))
  }

  /** Returns a log directly below a folder. It lists the folder, and makes one request for each
    * folder in it. Folders of partitions, `NAME=VALUE`, are left out, because there can be many.
    */
  def below(path: Path, conf: Configuration): Option[Path] = {
    val files = path.getFileSystem(conf)
    attempt(Seq.empty[FileStatus])(files.listStatus(path).toSeq)
      .filter(each => each.isDirectory && !each.getPath.getName.contains('='))
      .map(_.getPath)
      .find(isLog(files, _))
  }

  private def isLog(files: FileSystem, folder: Path): Boolean = attempt(false) {
    files.exists(new Path(folder, LogFiles.Own)) &&
    Marks.exists(mark => files.exists(new Path(folder, mark)))
  }

  /** Returns a default for a folder that does not exist or may not be read, which may be so for the
    * folders above a path that may be written.
    */
  private def attempt[A](default: A)(look: => A): A =
    try look
    catch {
      case _: FileNotFoundException | _: ParentNotDirectoryException | _: AccessControlException |
          _: AccessDeniedException =>
        default
    }

  /** Returns where a local path leads, without symbolic links. The end of it need not exist. */
  private def realPath(files: FileSystem, path: Path): Option[Path] =
    if (files.getUri.getScheme != "file") None
    else
      try {
        val local = Paths.get(path.toUri.getPath)
        Iterator
          .iterate(local)(_.getParent)
          .takeWhile(_ != null)
          .find(_.toFile.exists)
          .map(found => found.toRealPath().resolve(found.relativize(local)))
          .map(real => files.makeQualified(new Path(real.toString)))
      } catch {
        case _: IOException | _: InvalidPathException => None
      }
}
