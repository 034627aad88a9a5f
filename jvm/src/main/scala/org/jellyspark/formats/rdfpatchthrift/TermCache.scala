package org.jellyspark.formats.rdfpatchthrift

import java.util.Arrays

import org.jellyspark.core.Term

/** Remembers some of the last short terms of a kind by their text, so that a term that comes again
  * is neither decoded nor rendered again.
  *
  * @param make
  *   makes a term of its text
  */
private[rdfpatchthrift] final class TermCache[T <: Term](make: String => T) {
  import TermCache._

  private[this] val keys = new Array[Array[Byte]](Slots)
  private[this] val terms = new Array[Term](Slots)

  /** The term whose text the string is that was just read. */
  def read(in: CompactReader): T = {
    val bytes = in.stringBytes
    val start = in.stringStart
    val length = in.stringLength
    if (length > MaxLength) make(CompactReader.decode(bytes, start, length))
    else {
      val slot = slotOf(bytes, start, length)
      val key = keys(slot)
      if (key == null || !Arrays.equals(key, 0, key.length, bytes, start, start + length)) {
        terms(slot) = make(CompactReader.decode(bytes, start, length))
        keys(slot) = Arrays.copyOfRange(bytes, start, start + length)
      }
      terms(slot).asInstanceOf[T]
    }
  }
}

private object TermCache {
  // Few enough, and short enough, that they stay under some megabytes.
  private final val Slots = 1 << 11
  private final val MaxLength = 256

  // Terms differ at their ends rather than at their beginnings.
  private final val HashedBytes = 12

  private def slotOf(bytes: Array[Byte], start: Int, length: Int): Int = {
    var hash = length
    var i = math.max(start, start + length - HashedBytes)
    while (i < start + length) {
      hash = hash * 31 + bytes(i)
      i += 1
    }
    (hash ^ hash >>> 11) & (Slots - 1)
  }
}
