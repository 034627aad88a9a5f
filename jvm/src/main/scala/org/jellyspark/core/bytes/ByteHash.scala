package org.jellyspark.core.bytes

/** Hashes of bytes, for hash tables whose number of places is a power of two.
  *
  * A multiplication by an odd number carries the lower bits of a word into its upper half
  * (Fibonacci hashing), and the upper half is then folded into the lower.
  */
private[jellyspark] object ByteHash {
  // 2^64 divided by the golden ratio.
  private final val Factor = 0x9e3779b97f4a7c15L

  /** The hash of the bytes from `from` to before `to`. All its bits depend on all bytes. */
  def of(bytes: Array[Byte], from: Int, to: Int): Int = {
    var hash = (to - from).toLong
    var i = from
    while (i + Swar.Size <= to) {
      hash = mix(hash, Swar.load(bytes, i))
      i += Swar.Size
    }
    if (i < to) {
      // The last word overlaps the one before it, if there is one.
      val last = if (i > from) Swar.load(bytes, to - Swar.Size) else Swar.loadUpTo(bytes, i, to)
      hash = mix(hash, last)
    }
    (hash * Factor >>> 32).toInt
  }

  /** Adds a word to a hash. The upper half of the result depends on all bits of both. */
  def mix(hash: Long, word: Long): Long = {
    val mixed = (hash ^ word) * Factor
    mixed ^ mixed >>> 32
  }
}
