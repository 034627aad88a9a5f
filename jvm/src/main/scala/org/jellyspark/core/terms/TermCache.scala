package org.jellyspark.core.terms

import java.util.Arrays

import org.jellyspark.core.bytes.{ByteHash, Swar}

/** A cache from the bytes of terms in a file to the terms. A repeated term is only created once.
  *
  * The cache is direct-mapped: each term has one possible entry, and a new term evicts the one that
  * occupies it.
  */
private[jellyspark] final class TermCache[T <: AnyRef] {
  import TermCache._

  private[this] val keys = new Array[Array[Byte]](Size)
  private[this] val terms = new Array[AnyRef](Size)
  // The entry that `find` looked at last.
  private[this] var place = 0

  /** Returns the term whose bytes are the `length` bytes at `at`; null if it is not in the cache.
    */
  def find(bytes: Array[Byte], at: Int, length: Int): T = {
    place = placeOf(bytes, at, length)
    val key = keys(place)
    val isHere = key != null && Arrays.equals(key, 0, key.length, bytes, at, at + length)
    (if (isHere) terms(place) else null).asInstanceOf[T]
  }

  /** Adds the term that the last call of [[find]] did not find. Terms that are long in the file or
    * as text are not added, so the cache holds at most about 30 MB.
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
  private final val Size = 1 << Bits
  private final val MaxLength = 256 // bytes
  private final val MaxText = 1L << 12 // bytes

  /** The entry for some bytes. Only the last 16 are hashed, because terms differ most at their end.
    */
  private def placeOf(bytes: Array[Byte], at: Int, length: Int): Int = {
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
    (hash >>> (64 - Bits)).toInt
  }
}
