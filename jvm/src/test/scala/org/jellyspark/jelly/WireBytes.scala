package org.jellyspark.jelly

import java.io.ByteArrayOutputStream

import org.jellyspark.jelly.wire.Wire

/** Builds Protobuf messages byte by byte, for input that no writer produces. */
object WireBytes {

  /** Of numbers or of strings of hexadecimal digits. */
  def hex(text: String): Array[Byte] =
    text.replace(" ", "").grouped(2).map(Integer.parseInt(_, 16).toByte).toArray

  def varint(number: Long): Array[Byte] = {
    val out = new ByteArrayOutputStream
    var rest = number
    while ((rest & ~0x7fL) != 0) {
      out.write((rest & 0x7f | 0x80).toInt)
      rest >>>= 7
    }
    out.write(rest.toInt)
    out.toByteArray
  }

  def number(field: Int, value: Long): Array[Byte] = varint(field.toLong << 3) ++ varint(value)

  def sized(bytes: Array[Byte]): Array[Byte] = varint(bytes.length.toLong) ++ bytes

  /** A field that is a message or a text. */
  def field(number: Int, parts: Array[Byte]*): Array[Byte] =
    varint(number.toLong << 3 | Wire.LengthDelimited) ++ sized(parts.toArray.flatten)

  def text(number: Int, value: String): Array[Byte] = field(number, value.getBytes("UTF-8"))

  /** The rows of a frame, without its length. */
  def rows(rows: Array[Byte]*): Array[Byte] = rows.toArray.flatMap(field(Wire.FrameRows, _))

  def frame(rowMessages: Array[Byte]*): Array[Byte] = sized(rows(rowMessages: _*))
}
