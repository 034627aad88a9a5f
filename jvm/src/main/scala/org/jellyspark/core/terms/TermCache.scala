package org.jellyspark.core.terms

import java.util.Arrays

import org.jellyspark.core.bytes.{ByteHash, Swar}

/** A cache from the bytes of terms, or of parts of terms, in a file to what is made of them. What
  * repeats is only made once.
  *
  * The cache is direct-mapped: each term has one possible entry, and a new term evicts the one that
  * occupies it.
  *
  * @param bits
  *   the logarithm to base 2 of the number of entries
  */
private[jellyspark] final class TermCache[T <: AnyRef](bits: Int = TermCache.Bits) {
  import TermCache._

  private[this] val keys = new Array[Array[Byte]](1 << bits)
  private[this] val terms = new Array[AnyRef](1 << bits)
  // The entry that `find` looked at last.
  private[this] var place = 0

  /** Returns the term whose bytes are the `length` bytes at `at`; null if it is not in the cache.
    */
  def find(bytes: Array[Byte], at: Int, length: Int): T = {
    place = (hashOf(bytes, at, length) >>> (64 - bits)).toInt
    val key = keys(place)
    val isHere = key != null && Arrays.equals(key, 0, key.length, bytes, at, at + length)
    (if (isHere) terms(place) else null).asInstanceOf[T]
  }

  /** Adds the term that the last call of [[find]] did not find. Terms that are long in the file or
    * as text are not added, so a cache of the default size holds at most about 30 MB.
    *
    * @param size
    *   an upper bound for the bytes of the term's text
    */
  def put(bytes: Array[Byte], at: Int, length: Int, term: T, size: Long): Unit =
    if (length <= MaxLength && size <= MaxText) {
      keys(place) = Arrays.copyOfRange(bytes, at, at + length)
      terms(place) = term
    }

  def clear(): Unit = Arrays.fill(keys.asInstanceOf[Array[AnyRef]], null)
}

private object TermCache {
  private final val Bits = 12
  private final val MaxLength = 256 // bytes
  private final val MaxText = 1L << 12 // bytes

  /** The hash of some bytes, in its upper bits. Only the last 16 are hashed, because terms differ
    * most at their end.
    */
  def hashOf(bytes: Array[Byte], at: Int, length: Int): Long = {
    val end = at + length
    var hash = length.toLong
    if (length >= 2 * Swar.Size) {
      hash = ByteHash.mix(hash, Swar.load(bytes, end - Swar.Size))
      hash = ByteHash.mix(hash, Swar.load(bytes, end - 2 * Swar.Size))
    } else {
      var i = at
      while (i < end) {
        hash = ByteHash.mix(hash, bytes(i).toLong)
        i += 1
      }
    }
    hash
  }
}
