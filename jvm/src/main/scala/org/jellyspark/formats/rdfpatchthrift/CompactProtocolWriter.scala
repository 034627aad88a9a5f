package org.jellyspark.formats.rdfpatchthrift

import java.io.OutputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.{Utf8, Varint}
import org.jellyspark.core.errors.RefusedException.refuse

/** Writes the subset of Thrift's compact protocol that RDF Patch needs. The bytes are buffered
  * until `flush`.
  *
  * @param out
  *   the stream to write to; closed by the caller
  */
private[rdfpatchthrift] final class CompactProtocolWriter(out: OutputStream) {
  import CompactProtocolWriter._

  private[this] var buffer = new Array[Byte](BufferSize)
  private[this] var pos = 0

  /** Begins a field. Write its value next.
    *
    * @param distance
    *   the difference between the field's id and that of the struct's previous field, 1 to 15
    * @param kind
    *   a type from [[CompactProtocol]]
    */
  def field(distance: Int, kind: Int): Unit = {
    reserve(1)
    put(distance << 4 | kind)
  }

  /** Ends a struct. */
  def stop(): Unit = {
    reserve(1)
    put(CompactProtocol.Stop)
  }

  /** Writes an i32, which must not be negative. */
  def i32(number: Int): Unit = {
    reserve(Varint.MaxSize32.toLong)
    varint(number << 1)
  }

  /** Writes a string.
    *
    * @throws org.jellyspark.core.errors.RefusedException
    *   if the string is too long, or contains a lone surrogate
    */
  def string(text: String): Unit = {
    val length = text.length
    reserve(length.toLong + Varint.MaxSize32)
    val start = pos
    varint(length)
    // Tries ASCII first, because most strings are ASCII and then have as many bytes as characters.
    var i = 0
    var isAscii = true
    while (isAscii && i < length) {
      val c = text.charAt(i)
      isAscii = c < 0x80
      buffer(pos + i) = c.toByte
      i += 1
    }
    if (isAscii && length <= CompactProtocol.MaxString) pos += length
    else {
      pos = start
      unicode(text)
    }
  }

  /** Writes the buffer to the stream if it is large enough.
    *
    * @param all
    *   whether to write it whatever its size, and to flush the stream
    */
  def flush(all: Boolean): Unit = if (all || pos >= FlushSize) {
    out.write(buffer, 0, pos)
    pos = 0
    // Frees the memory after a very long row.
    if (buffer.length > KeptSize) buffer = new Array[Byte](BufferSize)
    if (all) out.flush()
  }

  private def unicode(text: String): Unit = {
    val length = utf8Length(text)
    if (length > CompactProtocol.MaxString)
      refuse(s"a string must be at most ${CompactProtocol.MaxString} bytes long in UTF-8")
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
      if (pos + count > MaxBuffer) refuse("a row must be shorter than 2 GiB")
      buffer =
        Arrays.copyOf(buffer, math.min(math.max(buffer.length * 2L, pos + count), MaxBuffer).toInt)
    }
}

private object CompactProtocolWriter {
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
        refuse("a string must not hold a lone surrogate, which UTF-8 cannot encode")
      }
      length += Utf8.length(c)
      i += Character.charCount(c)
    }
    length
  }
}
