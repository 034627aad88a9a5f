package org.jellyspark.jelly.wire

import scala.collection.mutable

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.terms.TripleTerm

/** Walks the fields of a row and of its messages, guided by a format's schema.
  *
  * This is the slow path for a row, which accepts everything that Protobuf's own libraries accept.
  * The decoder only reads rows in canonical form: the fields of each message in the order of the
  * schema, each at most once, and no unknown ones. All known writers produce that form, but
  * Protobuf allows more: fields in any order, a message split into several fields with the same
  * number, several fields of a oneof, of which the last one counts, and unknown fields.
  * [[canonicalRow]] rewrites such a row in canonical form.
  *
  * @param limit
  *   the longest row. Each field of a row counts as 8 bytes and a message as 24 more, but 1024
  *   bytes are free. The codec in Python, where Protobuf creates an object for each message, counts
  *   in the same way. No row in canonical form is refused for this alone, because
  *   [[org.jellyspark.core.terms.TripleTermSize]] counts 64 bytes for each term in a triple term,
  *   which has at most three fields and one message, and half of a triple's field and message.
  */
private[jellyspark] final class MessageWalker(
    schema: RowSchema,
    limit: RowLimit = RowLimit.Default
) {
  import FieldContent.{Number, Text, Unknown}
  import MessageWalker._

  private[this] val out = new WireOutput
  // The number of messages so far in the row that is being checked.
  private[this] var messages = 0

  /** Checks a row against the schema: fields must end within their messages, and text must be valid
    * UTF-8.
    *
    * @throws MalformedRowException
    *   if the row is not a message of the schema, or nests triple terms too deeply
    */
  def checkRow(bytes: Array[Byte], start: Int, end: Int): Unit =
    check(schema.row, bytes, start, end, depth = 0)

  /** Like [[checkRow]], but for the message in a row's field. */
  def check(message: MessageType, bytes: Array[Byte], start: Int, end: Int): Unit =
    check(message, bytes, start, end, depth = 1)

  /** Checks a row and rewrites it in canonical form. The options in an options row remain
    * unchanged, but are joined into one piece.
    *
    * The time is proportional to the length of the row, because parts of a message are never
    * concatenated: a message is a list of ranges of the row.
    *
    * @return
    *   the bytes of the row; empty if no known field is set
    * @throws MalformedRowException
    *   under the same conditions as [[checkRow]]
    */
  def canonicalRow(bytes: Array[Byte], start: Int, end: Int): Array[Byte] = {
    checkRow(bytes, start, end)
    out.clear()
    val row = new Field(0, schema.row)
    row.add(start, end)
    writeContent(row, bytes, new FieldCursor(bytes, start, end))
    out.toByteArray
  }

  private def check(
      message: MessageType,
      bytes: Array[Byte],
      start: Int,
      end: Int,
      depth: Int
  ): Unit = {
    messages = 0
    val fields = new FieldCursor(bytes, start, end)
    check(message, bytes, fields, end, depth, quotes = 0)
    checkSize(fields)
  }

  /** Checks a message and the messages in it.
    *
    * @param depth
    *   the number of messages around the message
    * @param quotes
    *   the number of triple terms around the message
    */
  private def check(
      message: MessageType,
      bytes: Array[Byte],
      fields: FieldCursor,
      end: Int,
      depth: Int,
      quotes: Int
  ): Unit =
    while (fields.nextBefore(end, depth)) {
      checkSize(fields)
      if (fields.hasLength) {
        val fieldEnd = fields.to
        message.contentOf(fields.field) match {
          case Text               => if (!Utf8.isValid(bytes, fields.from, fieldEnd)) fields.fail()
          case inner: MessageType =>
            val innerQuotes = if (inner eq MessageType.TripleTerm) quotes + 1 else quotes
            if (innerQuotes > TripleTerm.MaxDepth) TripleTerm.tooDeep()
            messages += 1
            fields.moveTo(fields.from)
            check(inner, bytes, fields, fieldEnd, depth + 1, innerQuotes)
          case _ => // may hold anything
        }
      }
    }

  private def checkSize(fields: FieldCursor): Unit =
    limit.check(fields.tags * FieldSize + messages * MessageSize - FreeSize)

  /** Writes the content of a field that has passed [[check]]. */
  private def writeContent(field: Field, bytes: Array[Byte], fields: FieldCursor): Unit =
    field.content match {
      case message: MessageType if message ne schema.optionsMessage =>
        fieldsOf(field, message, fields).foreach { inner =>
          if (inner.content == Number) {
            out.varint(Wire.varintTag(inner.number))
            out.varint(inner.value)
          } else out.message(inner.number)(writeContent(inner, bytes, fields))
        }
      case _ => field.foreachRange(out.put(bytes, _, _))
    }

  /** The known fields of a message, ordered by number. */
  private def fieldsOf(
      field: Field,
      message: MessageType,
      fields: FieldCursor
  ): Iterable[Field] = {
    // By the first field of their oneof.
    val found = mutable.TreeMap.empty[Int, Field]
    field.foreachRange { (from, to) =>
      fields.moveTo(from)
      // The depth has already been checked.
      while (fields.nextBefore(to, 0)) {
        val content = message.contentOf(fields.field)
        if (content != Unknown && fields.hasLength == (content != Number)) {
          val oneof = message.oneofOf(fields.field)
          val before = found.getOrElse(oneof, null)
          // A repeated message is merged with itself by appending its bytes.
          val continues = before != null && before.number == fields.field &&
            content.isInstanceOf[MessageType]
          val field = if (continues) before else new Field(fields.field, content)
          if (!continues) found(oneof) = field
          if (fields.hasLength) field.add(fields.from, fields.to)
          // Protobuf truncates numbers to the 32 bits of their field.
          else field.value = fields.number.toInt
        }
      }
    }
    found.values
  }
}

private object MessageWalker {
  private final val FieldSize = 8L
  private final val MessageSize = 24L
  private final val FreeSize = 1024L

  /** A known field of a message: a number, or the ranges of the row that contain its content.
    */
  private final class Field(val number: Int, val content: FieldContent) {
    private[this] val ranges = mutable.ArrayBuilder.make[Int]

    var value: Int = 0

    def add(from: Int, to: Int): Unit = {
      ranges += from
      ranges += to
    }

    def foreachRange(use: (Int, Int) => Unit): Unit = {
      val bounds = ranges.result()
      (0 until bounds.length by 2).foreach(i => use(bounds(i), bounds(i + 1)))
    }
  }
}
