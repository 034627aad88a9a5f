package org.jellyspark.core.bytes

import java.lang.Long.rotateLeft

/** The hash function xxHash64 with the seed 0, which the filters of restart ranges use.
  *
  * See [[https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md its specification]].
  */
private[jellyspark] object XxHash64 {
  private final val Prime1 = 0x9e3779b185ebca87L
  private final val Prime2 = 0xc2b2ae3d27d4eb4fL
  private final val Prime3 = 0x165667b19e3779f9L
  private final val Prime4 = 0x85ebca77c2b2ae63L
  private final val Prime5 = 0x27d4eb2f165667c5L
  private final val StripeSize = 32
  private final val HalfWord = 4

  /** The hash of `bytes[from, to)`. */
  def of(bytes: Array[Byte], from: Int, to: Int): Long = {
    var at = from
    var hash = Prime5
    if (to - from >= StripeSize) {
      var a = 0x60ea27eeadc0b5d6L // Prime1 + Prime2
      var b = Prime2
      var c = 0L
      var d = -Prime1
      while (to - at >= StripeSize) {
        a = round(a, Swar.load(bytes, at))
        b = round(b, Swar.load(bytes, at + Swar.Size))
        c = round(c, Swar.load(bytes, at + 2 * Swar.Size))
        d = round(d, Swar.load(bytes, at + 3 * Swar.Size))
        at += StripeSize
      }
      hash = rotateLeft(a, 1) + rotateLeft(b, 7) + rotateLeft(c, 12) + rotateLeft(d, 18)
      hash = merge(merge(merge(merge(hash, a), b), c), d)
    }
    hash += (to - from).toLong
    while (to - at >= Swar.Size) {
      hash = rotateLeft(hash ^ round(0, Swar.load(bytes, at)), 27) * Prime1 + Prime4
      at += Swar.Size
    }
    if (to - at >= HalfWord) {
      val word = Swar.loadUpTo(bytes, at, at + HalfWord)
      hash = rotateLeft(hash ^ word * Prime1, 23) * Prime2 + Prime3
      at += HalfWord
    }
    while (at < to) {
      hash = rotateLeft(hash ^ (bytes(at) & 0xff) * Prime5, 11) * Prime1
      at += 1
    }
    hash = (hash ^ hash >>> 33) * Prime2
    hash = (hash ^ hash >>> 29) * Prime3
    hash ^ hash >>> 32
  }

  private def round(lane: Long, word: Long): Long = rotateLeft(lane + word * Prime2, 31) * Prime1

  private def merge(hash: Long, lane: Long): Long = (hash ^ round(0, lane)) * Prime1 + Prime4
}
