package org.jellyspark.jelly.wire

/** Numbers of up to 32 bits on the wire, in their common form. */
private[jellyspark] object Varint {

  /** Reads a number at `at`, before `end`.
    *
    * @return
    *   in the lower 32 bits the number, in the upper ones the place behind it: [[number]], [[next]]
    * @throws NotCanonical
    *   if there is none of at most 5 bytes
    */
  def read(bytes: Array[Byte], at: Int, end: Int): Long = {
    val short = readShort(bytes, at, end)
    if (short != None) short else readLong(bytes, at, end)
  }

  /** As [[read]], of a number of one byte or two; [[None]] where there is none. */
  def readShort(bytes: Array[Byte], at: Int, end: Int): Long = {
    if (at < end) {
      val byte = bytes(at)
      if (byte >= 0) return (at + 1L) << 32 | byte
      if (at + 1 < end) {
        val high = bytes(at + 1)
        if (high >= 0) return (at + 2L) << 32 | high << 7 | byte & 0x7f
      }
    }
    None
  }

  /** No number, whose end is far behind that of any message which a buffer holds. */
  final val None = 1L << 62

  def number(read: Long): Int = read.toInt

  def next(read: Long): Int = (read >>> 32).toInt

  private def readLong(bytes: Array[Byte], at: Int, end: Int): Long = {
    var number = 0L
    var pos = at
    var shift = 0
    while (pos < end && shift < 35) {
      val byte = bytes(pos)
      pos += 1
      number |= (byte & 0x7fL) << shift
      if (byte >= 0) {
        if (number >>> 32 != 0) throw NotCanonical
        return pos.toLong << 32 | number
      }
      shift += 7
    }
    throw NotCanonical
  }
}

/** A row is not as every writer writes it: fields out of their order, or unknown, or no message at
  * all. To be looked at with [[WireCheck]] and [[RowNormalizer]].
  */
private[jellyspark] object NotCanonical extends Exception(null, null, false, false) {
  private def readResolve(): AnyRef = NotCanonical
}
