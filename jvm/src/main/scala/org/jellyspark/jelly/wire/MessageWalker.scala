package org.jellyspark.jelly.wire

import scala.collection.mutable

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.terms.QuotedTriple

/** Walks the fields of a row, and of the messages in it, by a format's schema.
  *
  * This is the slow way through a row, which takes whatever Protobuf's own libraries would take.
  * The decoder reads only rows in canonical form: the fields of each message in the order of the
  * schema, each at most once, and no unknown ones. All writers write that form, but Protobuf allows
  * more: fields in any order, a message split into several fields of the same number, several
  * fields of a oneof, of which the last counts, unknown fields. [[canonicalRow]] rewrites such a
  * row in canonical form.
  *
  * @param limit
  *   the longest row. Each field of a row counts as 8 bytes, and a message as 24 more, but 1024
  *   bytes are free: the codec in Python, where Protobuf makes an object of each message, counts as
  *   well. No row in canonical form is refused for this alone, since
  *   [[org.jellyspark.core.terms.QuotedSize]] counts 64 bytes for each term in a quoted triple,
  *   which has at most three fields and one message, and half of a triple's field and message.
  */
private[jellyspark] final class MessageWalker(
    schema: MessageSchema,
    limit: RowLimit = RowLimit.Default
) {
  import MessageSchema._
  import MessageWalker._

  private[this] val out = new WireOutput
  // The messages within the row that is checked.
  private[this] var messages = 0

  /** Checks a row against the schema: fields end within their messages, and text is UTF-8.
    *
    * @throws MalformedRowException
    *   if it is not a message of the schema, or quotes triples too deep
    */
  def checkRow(bytes: Array[Byte], start: Int, end: Int): Unit =
    check(RowMessage, bytes, start, end, depth = 0)

  /** As [[checkRow]], of the message of a row's field.
    *
    * @param message
    *   its number in [[MessageSchema]]
    */
  def check(message: Int, bytes: Array[Byte], start: Int, end: Int): Unit =
    check(message, bytes, start, end, depth = 1)

  /** Checks a row, and rewrites it in canonical form. The options in an options row stay as they
    * are, but in one piece.
    *
    * Takes time in proportion to the row's length, as parts of a message are never joined: a
    * message is a list of ranges of the row.
    *
    * @return
    *   the bytes of the row; none if no known field is set
    * @throws MalformedRowException
    *   as [[checkRow]]
    */
  def canonicalRow(bytes: Array[Byte], start: Int, end: Int): Array[Byte] = {
    checkRow(bytes, start, end)
    out.clear()
    val row = new Field(0, RowMessage)
    row.add(start, end)
    writeContent(row, bytes, new FieldCursor(bytes, start, end))
    out.toByteArray
  }

  private def check(message: Int, bytes: Array[Byte], start: Int, end: Int, depth: Int): Unit = {
    messages = 0
    val fields = new FieldCursor(bytes, start, end)
    check(message, bytes, fields, end, depth, quotes = 0)
    checkSize(fields)
  }

  /** @param depth
    *   in how many messages the message is
    * @param quotes
    *   in how many quoted triples it is
    */
  private def check(
      message: Int,
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
        schema.contentOf(message, fields.field) match {
          case Unknown | Number => // may hold anything
          case Text             => if (!Utf8.isValid(bytes, fields.from, fieldEnd)) fields.fail()
          case inner            =>
            val innerQuotes = if (inner == TripleTerm) quotes + 1 else quotes
            if (innerQuotes > QuotedTriple.MaxDepth) QuotedTriple.tooDeep()
            messages += 1
            fields.moveTo(fields.from)
            check(inner, bytes, fields, fieldEnd, depth + 1, innerQuotes)
        }
      }
    }

  private def checkSize(fields: FieldCursor): Unit =
    limit.check(fields.tags * FieldSize + messages * MessageSize - FreeSize)

  /** Writes the content of a field that has passed [[check]]. */
  private def writeContent(field: Field, bytes: Array[Byte], fields: FieldCursor): Unit =
    if (isMessage(field.content) && field.content != OptionsMessage) {
      fieldsOf(field, fields).foreach { inner =>
        if (inner.content == Number) {
          out.varint(Wire.varintTag(inner.number))
          out.varint(inner.value)
        } else out.message(inner.number)(writeContent(inner, bytes, fields))
      }
    } else field.foreachRange(out.put(bytes, _, _))

  /** The known fields of a message, by their numbers. */
  private def fieldsOf(message: Field, fields: FieldCursor): Iterable[Field] = {
    // By the first field of their oneof.
    val found = mutable.TreeMap.empty[Int, Field]
    message.foreachRange { (from, to) =>
      fields.moveTo(from)
      // The depth was checked before.
      while (fields.nextBefore(to, 0)) {
        val content = schema.contentOf(message.content, fields.field)
        if (content != Unknown && fields.hasLength == (content != Number)) {
          val oneof = schema.oneofOf(message.content, fields.field)
          val before = found.getOrElse(oneof, null)
          // A message that comes again is merged with itself: its bytes continue.
          val continues =
            before != null && before.number == fields.field && isMessage(content)
          val field = if (continues) before else new Field(fields.field, content)
          if (!continues) found(oneof) = field
          if (fields.hasLength) field.add(fields.from, fields.to)
          // Protobuf cuts numbers to the 32 bits of their field.
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

  private def isMessage(content: Int): Boolean = content >= MessageSchema.RowMessage

  /** A known field of a message: a number, or the ranges of the row that its content is in.
    *
    * @param content
    *   what it holds, by [[MessageSchema]]
    */
  private final class Field(val number: Int, val content: Int) {
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
