package org.jellyspark.jelly.wire

import org.jellyspark.core.bytes.Varint

/** Reads varints of 32 bits from an array, without an object or a field for the position.
  *
  * A read returns two numbers in one `Long`: the value in the lower 32 bits, the position behind it
  * in the upper 32. [[number]] and [[next]] unpack them. Both fit: a position in an array is not
  * negative.
  */
private[jellyspark] object PackedVarint {

  /** Reads the varint at `at`, which ends before `end`.
    *
    * @return
    *   the value and the position behind it
    * @throws NonCanonical
    *   if the varint does not end, or has more than 32 bits or five bytes
    */
  def read(bytes: Array[Byte], at: Int, end: Int): Long = {
    val short = readShort(bytes, at, end)
    if (short != None) short else readLong(bytes, at, end)
  }

  /** As [[read]], but only varints of one or two bytes: nearly all of them, in code that the JIT
    * compiler inlines. [[None]] for others.
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

  /** Stands for no varint. Its position is behind the end of every array. */
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
