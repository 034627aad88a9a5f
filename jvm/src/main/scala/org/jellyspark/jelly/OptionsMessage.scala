package org.jellyspark.jelly

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.jelly.wire.{FieldContent, FieldCursor, MessageType}

/** The content of an options row: `bytes[from, to)`. If a field occurs several times, the last one
  * counts.
  *
  * @param schema
  *   the message of the options in the format
  * @throws MalformedRowException
  *   if the bytes are not a Protobuf message
  */
private[jellyspark] final class OptionsMessage(
    schema: MessageType,
    bytes: Array[Byte],
    from: Int,
    to: Int
) {
  // The values of the fields in the schema, by number. An array, because each message in a column is
  // a stream with options.
  private[this] var numbers = Array.emptyIntArray
  private[this] var texts = Map.empty[Int, String]

  {
    val fields = new FieldCursor(bytes, from, to)
    while (fields.next()) {
      val field = fields.field
      schema.contentOf(field) match {
        case FieldContent.Number if !fields.hasLength => set(field, fields.number.toInt)
        case FieldContent.Flag if !fields.hasLength   =>
          set(field, if (fields.number == 0) 0 else 1)
        case FieldContent.Text if fields.hasLength =>
          texts += field -> new String(fields.content, UTF_8)
        case _ =>
      }
    }
  }

  /** The value of a number field; 0 if it is absent. */
  def number(field: Int): Int = if (field < numbers.length) numbers(field) else 0

  /** The value of a flag; false if it is absent. */
  def flag(field: Int): Boolean = number(field) != 0

  /** Whether both have the same values in all fields of the schema. */
  def hasSame(other: OptionsMessage): Boolean = content == other.content

  // Without the values that stand for absent fields.
  private def content: Any =
    (numbers.toSeq.zipWithIndex.filter(_._1 != 0), texts.filter(_._2.nonEmpty))

  private def set(field: Int, number: Int): Unit = {
    if (field >= numbers.length) numbers = Arrays.copyOf(numbers, field + 1)
    numbers(field) = number
  }
}
