package org.jellyspark.jelly.wire

import java.io.ByteArrayOutputStream

import scala.collection.mutable

/** Writes a message that has passed [[WireCheck]] as the message that Protobuf takes it for: its
  * fields in the order of their numbers, each once, and only those of the schema. Of a oneof the
  * last wins, and a message that comes again is merged with itself. Options stay as they are.
  */
private[jellyspark] final class RowNormalizer(schema: MessageSchema) {
  import MessageSchema._
  import RowNormalizer._

  /** The bytes of the row. */
  def row(bytes: Array[Byte], start: Int, length: Int): Array[Byte] =
    message(RowMessage, bytes, start, start + length)

  private def message(kind: Int, bytes: Array[Byte], from: Int, to: Int): Array[Byte] = {
    // By oneof: the field that is set.
    val fields = mutable.TreeMap.empty[Int, Field]
    val cursor = new FieldCursor(bytes, from, to)
    while (cursor.next()) {
      val number = cursor.tag >>> 3
      val content = schema.contentOf(kind, number)
      val isNumber = (cursor.tag & 7) == Wire.Varint
      if (content != Unknown && isNumber == (content == Number)) {
        val oneof = schema.oneofOf(kind, number)
        val field =
          if (isNumber) Field(number, content, Array.emptyByteArray, cursor.number)
          else Field(number, content, cursor.content, 0)
        fields(oneof) = fields.get(oneof).fold(field)(_.followedBy(field))
      }
    }
    val out = new ByteArrayOutputStream
    fields.values.foreach(write(_, out))
    out.toByteArray
  }

  private def write(field: Field, out: ByteArrayOutputStream): Unit =
    if (field.content == Number) {
      writeVarint(Wire.varintTag(field.number), out)
      // As Protobuf cuts numbers to their 32 bits.
      writeVarint(field.value.toInt, out)
    } else {
      val bytes =
        if (field.content == Text || field.content == OptionsMessage) field.bytes
        else message(field.content, field.bytes, 0, field.bytes.length)
      writeVarint(Wire.lengthTag(field.number), out)
      writeVarint(bytes.length, out)
      out.write(bytes, 0, bytes.length)
    }

  private def writeVarint(number: Int, out: ByteArrayOutputStream): Unit = {
    var rest = number
    while ((rest & ~0x7f) != 0) {
      out.write(rest & 0x7f | 0x80)
      rest >>>= 7
    }
    out.write(rest)
  }
}

private object RowNormalizer {

  private final case class Field(number: Int, content: Int, bytes: Array[Byte], value: Long) {

    /** What is set after another field of the same oneof. To merge messages is to join bytes. */
    def followedBy(next: Field): Field =
      if (next.number == number && content >= MessageSchema.RowMessage) {
        next.copy(bytes = bytes ++ next.bytes)
      } else next
  }
}
