package org.jellyspark.core.terms

import java.util.Arrays

import org.jellyspark.core.bytes.{ByteHash, Swar}

/** Terms that were read before, by their bytes in the file; so that a term which comes again is the
  * same object, with what it has cached. Of bounded size: a new one takes the place of an old one.
  */
private[jellyspark] final class TermCache[T <: Term] {
  import TermCache._

  private[this] val keys = new Array[Array[Byte]](Size)
  private[this] val terms = new Array[Term](Size)
  private[this] var place = 0

  /** The term whose bytes are the `length` from `at` on; null if it is not here. */
  def find(bytes: Array[Byte], at: Int, length: Int): T = {
    place = placeOf(bytes, at, length)
    val key = keys(place)
    val isHere = key != null && Arrays.equals(key, 0, key.length, bytes, at, at + length)
    (if (isHere) terms(place) else null).asInstanceOf[T]
  }

  /** Keeps the term of the bytes that [[find]] just did not find. */
  def put(bytes: Array[Byte], at: Int, length: Int, term: T): Unit =
    if (length <= MaxLength) {
      keys(place) = Arrays.copyOfRange(bytes, at, at + length)
      terms(place) = term
    }

  def clear(): Unit = Arrays.fill(keys.asInstanceOf[Array[AnyRef]], null)
}

private object TermCache {
  private final val Bits = 12
  private final val Size = 1 << Bits
  private final val MaxLength = 256 // bytes

  /** Terms differ most at their end: its bytes are what is hashed. */
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
