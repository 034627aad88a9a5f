package org.jellyspark.formats.rdfpatchthrift

import java.io.OutputStream
import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.bytes.{Utf8, Varint}
import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.formats.RowOutput

/** Writes the subset of Thrift's compact protocol that RDF Patch needs.
  *
  * @param out
  *   the stream to write to; closed by the caller
  */
private[rdfpatchthrift] final class CompactProtocolWriter(out: OutputStream)
    extends RowOutput(out) {
  import CompactProtocolWriter.utf8Length

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
    val start = size
    varint(length)
    // Tries ASCII first, because most strings are ASCII and then have as many bytes as characters.
    var i = 0
    var isAscii = true
    while (isAscii && i < length) {
      val c = text.charAt(i)
      isAscii = c < 0x80
      bytes(size + i) = c.toByte
      i += 1
    }
    if (isAscii && length <= CompactProtocol.MaxString) size += length
    else {
      size = start
      unicode(text)
    }
  }

  private def unicode(text: String): Unit = {
    val length = utf8Length(text)
    if (length > CompactProtocol.MaxString)
      refuse(s"a string must be at most ${CompactProtocol.MaxString} bytes long in UTF-8")
    reserve(length + Varint.MaxSize32)
    varint(length.toInt)
    System.arraycopy(text.getBytes(UTF_8), 0, bytes, size, length.toInt)
    size += length.toInt
  }

  private def varint(number: Int): Unit = size = Varint.put(number, bytes, size)

  private def put(byte: Int): Unit = {
    bytes(size) = byte.toByte
    size += 1
  }
}

private object CompactProtocolWriter {
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
