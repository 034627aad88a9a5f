package org.jellyspark.bridge

import java.io.{BufferedOutputStream, OutputStream}
import java.nio.channels.{Channels, WritableByteChannel}
import java.nio.file.{Files, Path, StandardOpenOption}
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardOpenOption.{CREATE_NEW, WRITE}
import java.nio.file.attribute.{PosixFileAttributeView, PosixFilePermission, PosixFilePermissions}
import java.util.{Set => JavaSet, UUID}

/** Writes files atomically: other processes see either the old file or the complete new one. */
private[bridge] object WholeFile {

  /** Writes to a temporary file in the same directory, which then replaces the target atomically.
    * The new file gets the permissions of the old one. If the target is not a regular file (for
    * example, a pipe or a device), writes to it directly. On failure, a regular target remains
    * unchanged.
    *
    * @param write
    *   writes the content to a stream, which this method closes
    * @return
    *   the result of `write`
    */
  def write[A](path: Path)(write: OutputStream => A): A = {
    val target = if (Files.exists(path)) path.toRealPath() else path
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      writeTo(Channels.newChannel(Files.newOutputStream(target)))(write)
    } else {
      val part = target.resolveSibling(s".${UUID.randomUUID()}.part")
      try {
        val result = writeTo(create(part, permissionsOf(target)))(write)
        Files.move(part, target, ATOMIC_MOVE)
        result
      } finally Files.deleteIfExists(part)
    }
  }

  /** Creates a file that never has more than the given permissions, if they are not null. */
  private def create(path: Path, permissions: JavaSet[PosixFilePermission]): WritableByteChannel = {
    val options = JavaSet.of[StandardOpenOption](CREATE_NEW, WRITE)
    if (permissions == null) Files.newByteChannel(path, options)
    else {
      val attribute = PosixFilePermissions.asFileAttribute(permissions)
      val channel = Files.newByteChannel(path, options, attribute)
      // The umask of the process may have removed some permissions.
      Files.setPosixFilePermissions(path, permissions)
      channel
    }
  }

  /** The permissions of a file; null if the file does not exist or its file system has no
    * permissions.
    */
  private def permissionsOf(path: Path): JavaSet[PosixFilePermission] = {
    val view = Files.getFileAttributeView(path, classOf[PosixFileAttributeView])
    if (view == null || Files.notExists(path)) null else view.readAttributes().permissions()
  }

  private def writeTo[A](channel: WritableByteChannel)(write: OutputStream => A): A = {
    val out = new BufferedOutputStream(Channels.newOutputStream(channel))
    try write(out)
    finally out.close()
  }
}
