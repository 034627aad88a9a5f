package org.jellyspark.source.files

import java.io.{EOFException, InputStream}
import java.nio.ByteBuffer

import com.github.luben.zstd.ZstdBufferDecompressingStreamNoFinalizer

/** Decompresses a Zstandard file, which may have several frames. Unlike in zstd-jni's own
  * `InputStream`, it is an error if the file ends within any of them.
  */
private[source] final class ZstdSource(in: InputStream) extends InputStream {
  private[this] val compressed = ByteBuffer.allocate(1 << 16)
  private[this] var ended = false
  fill()
  private[this] val isEmpty = ended
  private[this] val frames = new ZstdBufferDecompressingStreamNoFinalizer(compressed) {
    // Called when all of `source` is decompressed.
    override def refill(source: ByteBuffer): ByteBuffer = fill()
  }

  private def fill(): ByteBuffer = {
    val count = if (ended) -1 else in.read(compressed.array)
    ended = count < 0
    compressed.clear().limit(math.max(0, count))
  }

  override def read(): Int = {
    val byte = new Array[Byte](1)
    if (read(byte, 0, 1) < 0) -1 else byte(0) & 0xff
  }

  override def read(bytes: Array[Byte], start: Int, length: Int): Int = {
    if (length == 0) return 0
    var count = 0
    while (count == 0) {
      if (isEmpty || !frames.hasRemaining) return -1
      count = frames.read(ByteBuffer.wrap(bytes, start, length))
      if (count == 0 && ended && frames.hasRemaining)
        throw new EOFException("the end of the file within a frame")
    }
    count
  }

  override def close(): Unit =
    try in.close()
    finally frames.close()
}
