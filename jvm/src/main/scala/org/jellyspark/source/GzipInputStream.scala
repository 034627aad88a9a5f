package org.jellyspark.source

import java.io.{EOFException, IOException, InputStream}
import java.util.zip.{CRC32, DataFormatException, Inflater}

/** Reads the members of a gzip file (RFC 1952), one after the other.
  *
  * Zero bytes after a member are skipped: tapes and block devices pad files with them, and `gzip`
  * and Python's `gzip` read such files. Any other bytes that are not a member are an error.
  */
private[source] final class GzipInputStream(in: InputStream) extends InputStream {
  import GzipInputStream._

  private[this] val buffer = new Array[Byte](BufferSize)
  // The bytes in the buffer that are still to be taken.
  private[this] var pos = 0
  private[this] var limit = 0
  // Raw deflate: the header and the trailer of a member are read here.
  private[this] val inflater = new Inflater(true)
  private[this] val crc = new CRC32
  private[this] var isInMember = false
  private[this] var isAfterMember = false

  override def read(): Int = {
    val byte = new Array[Byte](1)
    if (read(byte, 0, 1) < 0) -1 else byte(0) & 0xff
  }

  override def read(bytes: Array[Byte], start: Int, length: Int): Int =
    if (length == 0) 0
    else {
      var count = 0
      while (count == 0 && beginMember()) {
        count = inflate(bytes, start, length)
        if (inflater.finished) endMember()
      }
      if (count == 0) -1 else count
    }

  override def close(): Unit =
    try in.close()
    finally inflater.end()

  private def inflate(bytes: Array[Byte], start: Int, length: Int): Int = {
    if (inflater.needsInput) {
      if (!hasMore) cutOff()
      inflater.setInput(buffer, pos, limit - pos)
      pos = limit
    }
    val count =
      try inflater.inflate(bytes, start, length)
      catch { case e: DataFormatException => throw new IOException(e.getMessage) }
    crc.update(bytes, start, count)
    count
  }

  /** Moves into the next member, if not in one. Returns whether there is one. */
  private def beginMember(): Boolean = {
    if (!isInMember) {
      if (isAfterMember) while (hasMore && buffer(pos) == 0) pos += 1
      isInMember = hasMore
      if (isInMember) readHeader()
    }
    isInMember
  }

  private def readHeader(): Unit = {
    if (number(2) != Magic || byte() != Deflate) throw new IOException("not in gzip format")
    val flags = byte()
    // The time, and hints.
    skip(6)
    if ((flags & HasExtra) != 0) skip(number(2).toInt)
    if ((flags & HasName) != 0) skipText()
    if ((flags & HasComment) != 0) skipText()
    if ((flags & HasHeaderCrc) != 0) skip(2)
    inflater.reset()
    crc.reset()
  }

  private def endMember(): Unit = {
    pos = limit - inflater.getRemaining
    if (number(4) != crc.getValue) throw new IOException("the checksum is not that of the content")
    if (number(4) != (inflater.getBytesWritten & 0xffffffffL)) {
      throw new IOException("the length is not that of the content")
    }
    isInMember = false
    isAfterMember = true
  }

  /** Whether there are more bytes, which are then in the buffer. */
  private def hasMore: Boolean = pos < limit || {
    pos = 0
    limit = math.max(in.read(buffer), 0)
    limit > 0
  }

  private def byte(): Int = {
    if (!hasMore) cutOff()
    pos += 1
    buffer(pos - 1) & 0xff
  }

  /** A little-endian number of some bytes. */
  private def number(size: Int): Long =
    (0 until size).foldLeft(0L)((number, i) => number | byte().toLong << (8 * i))

  private def skip(count: Int): Unit = (0 until count).foreach(_ => byte())

  /** Moves past a text, which ends with a zero byte. */
  private def skipText(): Unit = while (byte() != 0) {}

  private def cutOff(): Nothing = throw new EOFException("the end of the file within a gzip member")
}

private object GzipInputStream {
  private final val BufferSize = 1 << 16
  private final val Magic = 0x8b1f
  private final val Deflate = 8

  // The bits of a header's flags: what follows its fixed part, in this order.
  private final val HasExtra = 4
  private final val HasName = 8
  private final val HasComment = 16
  private final val HasHeaderCrc = 2
}
