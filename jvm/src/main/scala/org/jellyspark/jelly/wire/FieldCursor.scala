package org.jellyspark.jelly.wire

import org.jellyspark.core.bytes.Varint

/** Iterates over the fields of a message, reading them in the same way as Protobuf's libraries.
  *
  * A tag or a length has at most 32 bits and five bytes, a number at most ten bytes, and every
  * field ends within its message. Fields of fixed size and groups, which Jelly does not use, are
  * checked and skipped.
  *
  * {{{
  * val fields = new FieldCursor(bytes, from, to)
  * while (fields.next()) use(fields.number)
  * }}}
  *
  * @param start
  *   the index at which the message begins
  * @param end
  *   the index after the message
  */
private[jellyspark] final class FieldCursor(bytes: Array[Byte], start: Int, end: Int) {
  import FieldCursor.MaxDepth

  private[this] var pos = start

  /** The tag of the current field, which is its number and wire type. */
  var tag: Int = 0

  /** The value of the current field, if it is a varint. */
  var number: Long = 0L

  /** The index at which the content of the current field begins, if it has a length. */
  var from: Int = 0

  /** The index after that content. */
  var to: Int = 0

  /** The number of tags read so far, including those in groups. */
  var tags: Int = 0

  /** The number of the current field. */
  def field: Int = tag >>> 3

  /** Whether the current field has a length. If not, it is a varint. */
  def hasLength: Boolean = (tag & 7) == Wire.LengthDelimited

  /** A copy of the content of the current field, which must have a length. */
  def content: Array[Byte] = bytes.slice(from, to)

  /** Moves to the next field of the message.
    *
    * @return
    *   whether there is one
    * @throws MalformedRowException
    *   if the bytes are not a message
    */
  def next(): Boolean = nextBefore(end, 0)

  /** Like [[next]], but in a message inside this one that ends at `limit`: see [[moveTo]].
    *
    * @param depth
    *   the number of messages of the row around that message
    */
  def nextBefore(limit: Int, depth: Int): Boolean = {
    var found = false
    while (!found && pos < limit) {
      tag = readTag(limit)
      found = readContent(limit, depth)
    }
    found
  }

  /** Continues at another index. Move to [[from]] to read the fields of the current field's
    * message.
    */
  def moveTo(place: Int): Unit = pos = place

  /** Throws the error that the bytes are not a message. */
  def fail(): Nothing = Malformed.noMessage(end - start)

  /** Reads or skips the content of the field with the current tag.
    *
    * @return
    *   whether the field has a wire type that Jelly uses
    */
  private def readContent(limit: Int, depth: Int): Boolean = tag & 7 match {
    case Wire.Varint =>
      number = readVarint(limit)
      true
    case Wire.LengthDelimited =>
      val length = readLength(limit)
      from = pos
      to = pos + length
      pos = to
      true
    case _ =>
      skip(tag, limit, depth)
      false
  }

  /** Skips a field.
    *
    * @param depth
    *   the number of messages and groups around the field
    */
  private def skip(tag: Int, limit: Int, depth: Int): Unit = tag & 7 match {
    case Wire.Varint                         => readVarint(limit)
    case Wire.Fixed64                        => advance(8, limit)
    case Wire.Fixed32                        => advance(4, limit)
    case Wire.LengthDelimited                => advance(readLength(limit), limit)
    case Wire.StartGroup if depth < MaxDepth =>
      val endTag = tag + (Wire.EndGroup - Wire.StartGroup)
      var inner = readTag(limit)
      while (inner != endTag) {
        skip(inner, limit, depth + 1)
        inner = readTag(limit)
      }
    case _ => fail()
  }

  private def readTag(limit: Int): Int = {
    val tag = readVarint32(limit)
    if (tag >>> 3 == 0) fail()
    tags += 1
    tag
  }

  private def readLength(limit: Int): Int = {
    val length = readVarint32(limit)
    if (length < 0 || length > limit - pos) fail()
    length
  }

  private def readVarint32(limit: Int): Int = {
    val first = pos
    val number = readVarint(limit)
    if (pos - first > Varint.MaxSize32 || number >>> 32 != 0) fail()
    number.toInt
  }

  private def readVarint(limit: Int): Long = {
    val size = Varint.sizeAt(bytes, pos, limit)
    if (size == Varint.Incomplete) fail()
    val number = Varint.valueAt(bytes, pos, size)
    pos += size
    number
  }

  private def advance(count: Int, limit: Int): Unit = {
    if (count > limit - pos) fail()
    pos += count
  }
}

private object FieldCursor {

  // The same limit as in Protobuf's libraries, for messages and groups together.
  private final val MaxDepth = 100
}
