package org.jellyspark.core.bytes

/** Split-block Bloom filters, as
  * [[https://github.com/apache/parquet-format/blob/master/BloomFilter.md Apache Parquet specifies]]
  * them.
  *
  * A filter is an array of blocks of 256 bits, each of which consists of eight 32-bit words,
  * little-endian. A value sets one bit in each word of one block. The number of blocks need not be
  * a power of two.
  */
private[jellyspark] object BloomFilter {

  /** The size of a block in bytes. */
  final val BlockSize = 32

  private val Salts = Array(0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b,
    0x9efc4947, 0x5c6bfb31)

  /** The size in bytes of a filter for a number of values, with `bits` for each. */
  def sizeOf(values: Int, bits: Int): Int = {
    val blockBits = 8L * BlockSize
    ((values * bits.toLong + blockBits - 1) / blockBits).toInt * BlockSize
  }

  /** Adds a value to the filter that is all of `blocks`. */
  def add(blocks: Array[Byte], hash: Long): Unit = {
    var at = blockOf(hash, blocks.length)
    var i = 0
    while (i < Salts.length) {
      val bit = bitOf(hash, i)
      val index = at + (bit >> 3)
      blocks(index) = (blocks(index) | 1 << (bit & 7)).toByte
      at += Integer.BYTES
      i += 1
    }
  }

  /** Whether a filter may contain the value with a hash. If not, it does not contain it. */
  def mayContain(blocks: Array[Byte], hash: Long): Boolean = blocks.length > 0 && {
    var at = blockOf(hash, blocks.length)
    var i = 0
    while (
      i < Salts.length && (blocks(at + (bitOf(hash, i) >> 3)) >> (bitOf(hash, i) & 7) & 1) == 1
    ) {
      at += Integer.BYTES
      i += 1
    }
    i == Salts.length
  }

  /** The byte offset of the block of a hash. */
  private def blockOf(hash: Long, size: Int): Int =
    ((hash >>> 32) * (size / BlockSize) >>> 32).toInt * BlockSize

  /** The bit that a hash sets in the word with an index: the highest 5 bits of a product. */
  private def bitOf(hash: Long, word: Int): Int = hash.toInt * Salts(word) >>> 27
}
