package org.jellyspark.core.bytes

/** Varints: unsigned numbers with seven bits per byte, lowest first, in which every byte except the
  * last has its highest bit set. Protobuf and Thrift's compact protocol both use them.
  */
private[jellyspark] object Varint {

  /** The most bytes that a 64-bit number takes. */
  final val MaxSize = 10

  /** The most bytes that a 32-bit number takes. */
  final val MaxSize32 = 5

  /** Returned by [[sizeAt]] for a varint that does not end. */
  final val Incomplete = 0

  /** The number of bytes of the varint at `at`, 1 to [[MaxSize]]; [[Incomplete]] if it ends neither
    * before `end` nor within [[MaxSize]] bytes.
    */
  def sizeAt(bytes: Array[Byte], at: Int, end: Int): Int = {
    val last = math.min(end - at, MaxSize)
    var size = 1
    while (size <= last && bytes(at + size - 1) < 0) size += 1
    if (size <= last) size else Incomplete
  }

  /** The value of a varint of `size` bytes. Bits beyond 64 are dropped. */
  def valueAt(bytes: Array[Byte], at: Int, size: Int): Long = {
    var value = 0L
    var i = size - 1
    while (i >= 0) {
      value = value << 7 | bytes(at + i) & 0x7f
      i -= 1
    }
    value
  }

  /** The number of bytes that [[put]] writes for a number. */
  def sizeOf(number: Int): Int =
    if ((number & ~0x7f) == 0) 1
    else if ((number & ~0x3fff) == 0) 2
    else if ((number & ~0x1fffff) == 0) 3
    else if ((number & ~0xfffffff) == 0) 4
    else MaxSize32

  /** Writes an unsigned 32-bit number at `at`, where the array must have room for it.
    *
    * @return
    *   the index after it
    */
  def put(number: Int, bytes: Array[Byte], at: Int): Int = {
    var rest = number
    var i = at
    while ((rest & ~0x7f) != 0) {
      bytes(i) = (rest | 0x80).toByte
      rest >>>= 7
      i += 1
    }
    bytes(i) = rest.toByte
    i + 1
  }
}
