package org.jellyspark.source

import java.io._

import org.apache.hadoop.io.compress.Decompressor

import org.jellyspark.core.errors.CorruptInputException

/** Decompresses, and tells damage (what the decompressor throws) from files that cannot be read
  * (what the file's own stream throws).
  */
private[source] final class DecompressedStream(
    file: InputStream,
    decompress: InputStream => InputStream
) extends InputStream {
  private[this] val raw = new RawStream(file)
  private[this] var opened: InputStream = _

  override def read(): Int = guarded(decompressed.read())

  override def read(bytes: Array[Byte], start: Int, length: Int): Int =
    guarded(decompressed.read(bytes, start, length))

  override def close(): Unit = if (opened != null) opened.close() else file.close()

  /** Not made at once: some decompressors begin to read, and to find damage, when they are made. */
  private def decompressed: InputStream = {
    if (opened == null) opened = decompress(raw)
    opened
  }

  private def guarded(read: => Int): Int =
    try read
    catch {
      case e @ (_: IOException | _: RuntimeException) if !raw.failed =>
        throw new CorruptInputException(e.asInstanceOf[Exception])
    }
}

/** Remembers whether reading failed. */
private final class RawStream(in: InputStream) extends FilterInputStream(in) {
  var failed = false

  override def read(): Int = guarded(super.read())

  override def read(bytes: Array[Byte], start: Int, length: Int): Int =
    guarded(super.read(bytes, start, length))

  private def guarded(read: => Int): Int = {
    failed = true
    val answer = read
    failed = false
    answer
  }
}

/** Hadoop's format for its block codecs: blocks, each the size of its content, then chunks, each a
  * size and that many compressed bytes, until the content is complete.
  */
private[source] final class BlockInputStream(in: InputStream, decompressor: Decompressor)
    extends InputStream {
  private[this] val data = new DataInputStream(in)
  private[this] var left = 0

  override def read(): Int = {
    val byte = new Array[Byte](1)
    if (read(byte, 0, 1) < 0) -1 else byte(0) & 0xff
  }

  override def close(): Unit =
    try in.close()
    finally decompressor.end()

  override def read(bytes: Array[Byte], start: Int, length: Int): Int = {
    var count = 0
    while (count == 0) {
      if (decompressor.needsInput) {
        while (left == 0) if (!startBlock()) return -1
        val chunk = readChunk()
        decompressor.setInput(chunk, 0, chunk.length)
      }
      count = decompressor.decompress(bytes, start, length)
    }
    left -= count
    if (left < 0) throw new IOException("a block is longer than it says")
    count
  }

  private def startBlock(): Boolean = {
    val first = data.read()
    if (first < 0) false
    else {
      left = first << 24 | data.readUnsignedByte() << 16 | data.readUnsignedShort()
      if (left < 0) throw new IOException("a block of a negative size")
      true
    }
  }

  /** Memory grows with the bytes that are there. */
  private def readChunk(): Array[Byte] = {
    val size = data.readInt()
    if (size < 0) throw new IOException("a chunk of a negative size")
    val chunk = data.readNBytes(size)
    if (chunk.length < size) throw new EOFException("a chunk is cut off")
    chunk
  }
}
