package org.jellyspark.source.files

import java.io._

import org.apache.hadoop.io.compress.Decompressor

/** Decompresses Hadoop's block format (`BlockCompressorStream`).
  *
  * A file is a sequence of blocks. A block is the size of its uncompressed content, followed by
  * chunks until the content is complete. A chunk is its own size, followed by that many compressed
  * bytes. Sizes are big-endian 32-bit integers. Unlike in Hadoop's own reader, a truncated file is
  * an error.
  */
private[source] final class BlockInputStream(in: InputStream, decompressor: Decompressor)
    extends InputStream {
  private[this] val data = new DataInputStream(in)
  // The number of uncompressed bytes of the block that have not been returned yet.
  private[this] var left = 0

  override def read(): Int = {
    val byte = new Array[Byte](1)
    if (read(byte, 0, 1) < 0) -1 else byte(0) & 0xff
  }

  override def close(): Unit =
    try in.close()
    finally decompressor.end()

  override def read(bytes: Array[Byte], start: Int, length: Int): Int = {
    if (length == 0) return 0
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
    if (left < 0) throw new IOException("a block is longer than its announced size")
    count
  }

  /** Reads the size of the next block.
    *
    * @return
    *   whether there is one
    */
  private def startBlock(): Boolean = {
    val first = data.read()
    if (first < 0) false
    else {
      left = first << 24 | data.readUnsignedByte() << 16 | data.readUnsignedShort()
      if (left < 0) throw new IOException("the size of a block is negative")
      true
    }
  }

  /** Reads a chunk. Memory grows with the bytes actually read, not with the announced size. */
  private def readChunk(): Array[Byte] = {
    val size = data.readInt()
    if (size < 0) throw new IOException("the size of a chunk is negative")
    val chunk = data.readNBytes(size)
    if (chunk.length < size) throw new EOFException("the file ends within a chunk")
    chunk
  }
}
