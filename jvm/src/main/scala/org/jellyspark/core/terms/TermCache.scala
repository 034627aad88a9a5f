package org.jellyspark.core.terms

import java.util.Arrays

import org.jellyspark.core.bytes.{ByteHash, Swar}

/** A cache of the terms that were read before, by their bytes in the file. A term that comes again
  * is the same object, which is made only once.
  *
  * The cache is direct-mapped: each term has one place, and a new term evicts the one that is
  * there.
  */
private[jellyspark] final class TermCache[T <: AnyRef] {
  import TermCache._

  private[this] val keys = new Array[Array[Byte]](Size)
  private[this] val terms = new Array[AnyRef](Size)
  // The place that find looked at last.
  private[this] var place = 0

  /** The term whose bytes are the `length` from `at` on; null if it is not in the cache. */
  def find(bytes: Array[Byte], at: Int, length: Int): T = {
    place = placeOf(bytes, at, length)
    val key = keys(place)
    val isHere = key != null && Arrays.equals(key, 0, key.length, bytes, at, at + length)
    (if (isHere) terms(place) else null).asInstanceOf[T]
  }

  /** Adds the term of the bytes that the last call of [[find]] did not find. Long terms are not
    * kept, nor those with many bytes, so that the cache has at most some 30 MB.
    *
    * @param size
    *   a number of bytes that the term's text has at most
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

  /** The place for some bytes. Only the last 16 are hashed, as terms differ most at their end. */
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
