package org.jellyspark.core.bytes

import java.util.concurrent.ThreadLocalRandom

/** Hashes byte sequences, for hash tables whose number of buckets is a power of two.
  *
  * This is Fibonacci hashing: a multiplication by an odd constant carries the lower bits of a word
  * into its upper half, which is then folded into the lower half.
  */
private[jellyspark] object ByteHash {
  // 2^64 divided by the golden ratio.
  private final val Factor = 0x9e3779b97f4a7c15L

  /** The hash of `bytes[from, to)`. All its bits depend on all of these bytes.
    *
    * @param factor
    *   an odd number. A table that searches on where places are taken needs one from [[newFactor]].
    */
  def of(bytes: Array[Byte], from: Int, to: Int, factor: Long = Factor): Int = {
    var hash = (to - from).toLong
    var i = from
    while (i + Swar.Size <= to) {
      hash = mix(hash, Swar.load(bytes, i), factor)
      i += Swar.Size
    }
    if (i < to) {
      // The last word overlaps the previous one, if there is one.
      val last = if (i > from) Swar.load(bytes, to - Swar.Size) else Swar.loadUpTo(bytes, i, to)
      hash = mix(hash, last, factor)
    }
    (hash * Factor >>> 32).toInt
  }

  /** Mixes a word into a hash. The upper half of the result depends on all bits of both. */
  def mix(hash: Long, word: Long, factor: Long = Factor): Long = {
    val mixed = (hash ^ word) * factor
    mixed ^ mixed >>> 32
  }

  /** A random factor, for which keys that were made to have equal hashes by another have not. */
  def newFactor(): Long = ThreadLocalRandom.current().nextLong() | 1
}
