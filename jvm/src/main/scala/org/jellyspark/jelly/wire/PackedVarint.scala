package org.jellyspark.jelly.wire

import org.jellyspark.core.bytes.Varint

/** Reads 32-bit varints from an array, without an object or a field for the position.
  *
  * A read returns two numbers packed in one `Long`: the value in the lower 32 bits and the index
  * after it in the upper 32. [[number]] and [[next]] unpack them. This is possible because array
  * indexes are not negative.
  */
private[jellyspark] object PackedVarint {

  /** Reads the varint at `at`, which must end before `end`.
    *
    * @return
    *   the value and the index after it
    * @throws NonCanonical
    *   if the varint does not end, or has more than 32 bits or five bytes
    */
  def read(bytes: Array[Byte], at: Int, end: Int): Long = {
    val short = readShort(bytes, at, end)
    if (short != None) short else readLong(bytes, at, end)
  }

  /** Like [[read]], but only for varints of one or two bytes. That is nearly all of them, and the
    * code is short enough for the JIT compiler to inline. Returns [[None]] for all others.
    */
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

  /** Returned instead of a varint. Its index is past the end of every array. */
  final val None = (Int.MaxValue - 1L) << 32

  def number(read: Long): Int = read.toInt

  def next(read: Long): Int = (read >>> 32).toInt

  private def readLong(bytes: Array[Byte], at: Int, end: Int): Long = {
    val size = Varint.sizeAt(bytes, at, end)
    if (size == Varint.Incomplete || size > Varint.MaxSize32) throw NonCanonical
    val value = Varint.valueAt(bytes, at, size)
    if (value >>> 32 != 0) throw NonCanonical
    (at + size).toLong << 32 | value
  }
}
