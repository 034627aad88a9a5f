package org.jellyspark.jelly

import com.google.protobuf.WireFormat._
import org.jellyspark.core.{MalformedRowException, QuotedTriple, Utf8}

/** Walks the bytes of a row by the schema, before they are parsed.
  *
  * jelly-core's parser, made for speed, lets pass what Protobuf does not: text that is not UTF-8
  * (it is replaced), tags and lengths of more than 32 bits (they are cut), and anything within a
  * default graph.
  */
private[jellyspark] final class WireCheck(schema: MessageSchema) {
  import MessageSchema._
  import WireCheck.MaxGroupDepth

  private[this] var bytes: Array[Byte] = _
  private[this] var length = 0
  private[this] var pos = 0

  /** Checks one row.
    *
    * @throws MalformedRowException
    *   if it is no message of the schema, or quotes triples too deep
    */
  def row(bytes: Array[Byte], start: Int, length: Int): Unit = {
    this.bytes = bytes
    this.length = length
    pos = start
    message(RowMessage, start + length, 0)
  }

  private def message(kind: Int, end: Int, depth: Int): Unit = {
    while (pos < end) {
      val tag = readTag(end)
      if ((tag & 7) == WIRETYPE_LENGTH_DELIMITED) {
        val fieldEnd = readLength(end)
        schema.contentOf(kind, tag >>> 3) match {
          case Unknown    => pos = fieldEnd
          case Text       => checkUtf8(fieldEnd)
          case TripleTerm =>
            if (depth == QuotedTriple.MaxDepth) MalformedRowException.quotedTooDeep()
            message(TripleTerm, fieldEnd, depth + 1)
          case inner => message(inner, fieldEnd, depth)
        }
      } else skip(tag, end, 0)
    }
  }

  private def skip(tag: Int, end: Int, groups: Int): Unit = tag & 7 match {
    case WIRETYPE_VARINT                                => readVarint(end)
    case WIRETYPE_FIXED64                               => advance(8, end)
    case WIRETYPE_FIXED32                               => advance(4, end)
    case WIRETYPE_LENGTH_DELIMITED                      => pos = readLength(end)
    case WIRETYPE_START_GROUP if groups < MaxGroupDepth =>
      val endTag = tag + (WIRETYPE_END_GROUP - WIRETYPE_START_GROUP)
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
