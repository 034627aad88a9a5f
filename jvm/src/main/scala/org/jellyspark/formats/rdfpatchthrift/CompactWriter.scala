package org.jellyspark.formats.rdfpatchthrift

import java.io.OutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.{Utf8, Varint}
import org.jellyspark.core.errors.RefusedException.refuse

/** Writes Thrift's compact protocol, as far as RDF Patch needs it. What is written is held until
  * `flush`.
  *
  * @param out
  *   where the bytes go; closed by the caller
  */
private[rdfpatchthrift] final class CompactWriter(out: OutputStream) {
  import CompactWriter._

  private[this] var buffer = new Array[Byte](BufferSize)
  private[this] var pos = 0

  /** Begins a field; its value is written next.
    *
    * @param distance
    *   how far its id is from that of the struct's field before, 1 to 15
    */
  def field(distance: Int, kind: Int): Unit = {
    reserve(1)
    put(distance << 4 | kind)
  }

  /** Ends a struct. */
  def stop(): Unit = {
    reserve(1)
    put(Compact.Stop)
  }

  /** An i32 from 0 up. */
  def i32(number: Int): Unit = {
    reserve(Varint.MaxSize32.toLong)
    varint(number << 1)
  }

  /** A string.
    *
    * @throws org.jellyspark.core.RefusedException
    *   if it is too long, or not Unicode
    */
  def string(text: String): Unit = {
    val length = text.length
    reserve(length.toLong + Varint.MaxSize32)
    val start = pos
    varint(length)
    // Most are ASCII, which is as long in bytes as in characters.
    var i = 0
    var isAscii = true
    while (isAscii && i < length) {
      val c = text.charAt(i)
      isAscii = c < 0x80
      buffer(pos + i) = c.toByte
      i += 1
    }
    if (isAscii && length <= Compact.MaxString) pos += length
    else {
      pos = start
      unicode(text)
    }
  }

  /** Hands on what is held, if it is enough to be worth it, or `all`. */
  def flush(all: Boolean): Unit = if (all || pos >= FlushSize) {
    out.write(buffer, 0, pos)
    pos = 0
    // A buffer that one big row has grown is let go of, not kept for small ones.
    if (buffer.length > KeptSize) buffer = new Array[Byte](BufferSize)
    if (all) out.flush()
  }

  private def unicode(text: String): Unit = {
    val length = utf8Length(text)
    if (length > Compact.MaxString) refuse(s"a string holds at most ${Compact.MaxString} bytes")
    reserve(length + Varint.MaxSize32)
    varint(length.toInt)
    System.arraycopy(text.getBytes(UTF_8), 0, buffer, pos, length.toInt)
    pos += length.toInt
  }

  private def varint(number: Int): Unit = pos = Varint.put(number, buffer, pos)

  private def put(byte: Int): Unit = {
    buffer(pos) = byte.toByte
    pos += 1
  }

  private def reserve(count: Long): Unit =
    if (buffer.length - pos < count) {
      if (pos + count > MaxBuffer) refuse("a row must stay under 2 GiB")
      buffer =
        Arrays.copyOf(buffer, math.min(math.max(buffer.length * 2L, pos + count), MaxBuffer).toInt)
    }
}

private object CompactWriter {
  private val BufferSize = 1 << 17
  private val FlushSize = 1 << 16
  private val KeptSize = 1 << 22
  private val MaxBuffer = Int.MaxValue - 8L

  private def utf8Length(text: String): Long = {
    var length = 0L
    var i = 0
    while (i < text.length) {
      val c = text.codePointAt(i)
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        refuse("a text holds a lone surrogate")
      }
      length += Utf8.length(c)
      i += Character.charCount(c)
    }
    length
  }
}
