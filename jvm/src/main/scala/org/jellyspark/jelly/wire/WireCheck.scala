package org.jellyspark.jelly.wire

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.terms.QuotedTriple

/** Walks the bytes of a row by the schema, as Protobuf would: tags and lengths are numbers of 32
  * bits at most, text is UTF-8. The fast way through a row, [[JellyDecoder]]'s, leaves what it does
  * not know to this.
  */
private[jellyspark] final class WireCheck(schema: MessageSchema) {
  import MessageSchema._
  import Wire._
  import WireCheck.MaxGroupDepth

  private[this] var bytes: Array[Byte] = _
  private[this] var length = 0
  private[this] var pos = 0

  /** Checks one row.
    *
    * @throws MalformedRowException
    *   if it is no message of the schema, or quotes triples too deep
    */
  def row(bytes: Array[Byte], start: Int, length: Int): Unit =
    message(RowMessage, bytes, start, start + length)

  /** As [[row]], of a message that is numbered in [[MessageSchema]]. */
  def message(kind: Int, bytes: Array[Byte], start: Int, end: Int): Unit = {
    this.bytes = bytes
    length = end - start
    pos = start
    message(kind, end, 0)
  }

  private def message(kind: Int, end: Int, depth: Int): Unit = {
    while (pos < end) {
      val tag = readTag(end)
      if ((tag & 7) == LengthDelimited) {
        val fieldEnd = readLength(end)
        schema.contentOf(kind, tag >>> 3) match {
          case Unknown | Number => pos = fieldEnd
          case Text             => checkUtf8(fieldEnd)
          case TripleTerm       =>
            if (depth == QuotedTriple.MaxDepth) QuotedTriple.tooDeep()
            message(TripleTerm, fieldEnd, depth + 1)
          case inner => message(inner, fieldEnd, depth)
        }
      } else skip(tag, end, 0)
    }
  }

  private def skip(tag: Int, end: Int, groups: Int): Unit = tag & 7 match {
    case Varint                               => readVarint(end)
    case Fixed64                              => advance(8, end)
    case Fixed32                              => advance(4, end)
    case LengthDelimited                      => pos = readLength(end)
    case StartGroup if groups < MaxGroupDepth =>
      val endTag = tag + (EndGroup - StartGroup)
      var inner = readTag(end)
      while (inner != endTag) {
        skip(inner, end, groups + 1)
        inner = readTag(end)
      }
    case _ => fail()
  }

  private def readTag(end: Int): Int = {
    val tag = readVarint32(end)
    if (tag >>> 3 == 0) fail()
    tag
  }

  /** Reads a length; answers where what it announces ends. */
  private def readLength(end: Int): Int = {
    val size = readVarint32(end)
    if (size < 0 || size > end - pos) fail()
    pos + size
  }

  private def readVarint32(end: Int): Int = {
    val from = pos
    val number = readVarint(end)
    if (pos - from > 5 || number >>> 32 != 0) fail()
    number.toInt
  }

  private def readVarint(end: Int): Long = {
    var number = 0L
    var shift = 0
    while (pos < end && shift < 70) {
      val byte = bytes(pos)
      pos += 1
      number |= (byte & 0x7fL) << shift
      if (byte >= 0) return number
      shift += 7
    }
    fail()
  }

  private def advance(count: Int, end: Int): Unit = {
    if (count > end - pos) fail()
    pos += count
  }

  private def checkUtf8(end: Int): Unit = {
    if (!Utf8.isValid(bytes, pos, end)) fail()
    pos = end
  }

  private def fail(): Nothing = Malformed.noMessage(length)
}

private object WireCheck {

  // Protobuf libraries allow 100, some of them less the messages around it.
  final val MaxGroupDepth = 98
}
