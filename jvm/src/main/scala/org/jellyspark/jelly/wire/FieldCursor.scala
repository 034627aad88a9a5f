package org.jellyspark.jelly.wire

/** The fields of a message that has passed [[WireCheck]], one after the other, groups left out.
  *
  * {{{
  * while (fields.next()) use(fields.number)
  * }}}
  */
private[jellyspark] final class FieldCursor(bytes: Array[Byte], start: Int, end: Int) {
  private[this] var pos = start

  private[this] var from = 0
  private[this] var to = 0

  /** The tag of the current field. */
  var tag: Int = 0

  /** The number that the field is, if it is one. */
  var number: Long = 0L

  /** The bytes that the field is, if it is no number. */
  def content: Array[Byte] = bytes.slice(from, to)

  def next(): Boolean = {
    var found = false
    while (!found && pos < end) {
      tag = readVarint().toInt
      found = readContent()
    }
    found
  }

  /** Whether the field was one of those that are of concern. */
  private def readContent(): Boolean = tag & 7 match {
    case Wire.Varint =>
      number = readVarint()
      true
    case Wire.LengthDelimited =>
      val length = readVarint().toInt
      from = pos
      to = pos + length
      pos = to
      true
    case Wire.Fixed64 =>
      pos += 8
      false
    case Wire.Fixed32 =>
      pos += 4
      false
    case _ =>
      skipGroup()
      false
  }

  private def skipGroup(): Unit = {
    var depth = 1
    while (depth > 0) {
      tag = readVarint().toInt
      tag & 7 match {
        case Wire.StartGroup => depth += 1
        case Wire.EndGroup   => depth -= 1
        case _               => readContent()
      }
    }
  }

  private def readVarint(): Long = {
    var number = 0L
    var shift = 0
    var byte = 0
    while ({
      byte = bytes(pos).toInt
      pos += 1
      number |= (byte & 0x7fL) << shift
      shift += 7
      byte < 0
    }) ()
    number
  }
}
