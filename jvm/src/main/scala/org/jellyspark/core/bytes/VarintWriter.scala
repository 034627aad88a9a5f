package org.jellyspark.core.bytes

/** Writes varints: unsigned numbers of 32 bits in LEB128, as Protobuf and Thrift's compact protocol
  * have them. Each byte holds seven bits, the lowest first, and its highest bit tells whether
  * another byte follows.
  */
private[jellyspark] object VarintWriter {

  /** The most bytes that a number takes. */
  final val MaxSize = 5

  /** The number of bytes that an unsigned number takes. */
  def sizeOf(number: Int): Int =
    if ((number & ~0x7f) == 0) 1
    else if ((number & ~0x3fff) == 0) 2
    else if ((number & ~0x1fffff) == 0) 3
    else if ((number & ~0xfffffff) == 0) 4
    else 5

  /** Writes an unsigned number at `at`, where there must be room for it; returns the index behind
    * it.
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
