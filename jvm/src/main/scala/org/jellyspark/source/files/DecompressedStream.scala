package org.jellyspark.source.files

import java.io._

import org.jellyspark.core.errors.CorruptInputException

/** Decompresses a file, and distinguishes damaged content from failed reads.
  *
  * Exceptions of the decompressor become [[CorruptInputException]]s. Exceptions of the file's own
  * stream are passed on unchanged.
  */
private[source] final class DecompressedStream(
    file: InputStream,
    decompress: InputStream => InputStream
) extends InputStream {
  private[this] val watched = new WatchedStream(file)
  private[this] var opened: InputStream = _

  override def read(): Int = guarded(decompressed.read())

  override def read(bytes: Array[Byte], start: Int, length: Int): Int =
    guarded(decompressed.read(bytes, start, length))

  override def close(): Unit = if (opened != null) opened.close() else file.close()

  /** Created on first use, because some decompressors read in their constructors, and may find
    * damage there.
    */
  private def decompressed: InputStream = {
    if (opened == null) opened = decompress(watched)
    opened
  }

  private def guarded(read: => Int): Int =
    try read
    catch {
      case e @ (_: IOException | _: RuntimeException) if !watched.hasFailed =>
        throw new CorruptInputException(e.asInstanceOf[Exception])
    }
}

/** Remembers whether the last read failed. */
private[jellyspark] final class WatchedStream(in: InputStream) extends FilterInputStream(in) {
  var hasFailed = false

  override def read(): Int = guarded(super.read())

  override def read(bytes: Array[Byte], start: Int, length: Int): Int =
    guarded(super.read(bytes, start, length))

  private def guarded(read: => Int): Int = {
    hasFailed = true
    val count = read
    hasFailed = false
    count
  }
}
