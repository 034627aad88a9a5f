package org.jellyspark.jelly

import org.jellyspark.core.Words

/** Hashes of bytes, for the tables of the encoder. */
private[jelly] object ByteHash {
  private final val Factor = 0x9e3779b97f4a7c15L

  /** Of the bytes from `from` to before `to`. */
  def of(bytes: Array[Byte], from: Int, to: Int): Int = {
    var hash = (to - from).toLong
    var i = from
    while (i <= to - 8) {
      hash = mix(hash, Words.at(bytes, i))
      i += 8
    }
    if (i < to)
      hash = mix(hash, if (to - from >= 8) Words.at(bytes, to - 8) else rest(bytes, i, to))
    // The upper half depends on all bits.
    (hash * Factor >>> 32).toInt
  }

  private def rest(bytes: Array[Byte], from: Int, to: Int): Long = {
    var word = 0L
    var i = from
    while (i < to) {
      word = word << 8 | (bytes(i) & 0xff)
      i += 1
    }
    word
  }

  private def mix(hash: Long, word: Long): Long = {
    val mixed = (hash ^ word) * Factor
    mixed ^ mixed >>> 32
  }
}
