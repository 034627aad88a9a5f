package org.jellyspark.core.bytes

/** Hashes of bytes, for tables. */
private[jellyspark] object ByteHash {
  private final val Factor = 0x9e3779b97f4a7c15L

  /** Of the bytes from `from` to before `to`. */
  def of(bytes: Array[Byte], from: Int, to: Int): Int = {
    var hash = (to - from).toLong
    var i = from
    while (i + Swar.Size <= to) {
      hash = mix(hash, Swar.load(bytes, i))
      i += Swar.Size
    }
    if (i < to) {
      hash =
        mix(hash, if (i > from) Swar.load(bytes, to - Swar.Size) else Swar.loadUpTo(bytes, i, to))
    }
    // The upper half depends on all bits.
    (hash * Factor >>> 32).toInt
  }

  /** Adds a word to a hash, whose upper half depends on all bits then. */
  def mix(hash: Long, word: Long): Long = {
    val mixed = (hash ^ word) * Factor
    mixed ^ mixed >>> 32
  }
}
