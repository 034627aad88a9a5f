package org.jellyspark.formats.rdfpatch

import java.util.Arrays

import org.jellyspark.core.terms.Term

/** The token that was last read in some position: what `R` repeats; and what most often comes
  * again, which is quicker to see than to read.
  */
private[rdfpatch] final class LastToken {
  private[this] var bytes = new Array[Byte](128)
  private[this] var count = 0
  // Whether the same bytes make the same token wherever they stand.
  private[this] var isClosed = false

  /** Null if it was not made. */
  var term: Term = _

  /** The number of its bytes; 0 if there is none, or they were not kept. */
  def length: Int = count

  /** Takes the token from `start`, a place in the row, to here. */
  def set(in: TextInput, start: Int, made: Term): Unit = {
    val at = in.index(start)
    val size = in.pos - at
    term = made
    isClosed = in.buffer(at) == '<' && in.buffer(at + 1) != '<'
    // The bytes of others are of use only as long as there is no term.
    count = if (made != null && (!isClosed || size > bytes.length)) 0 else size
    if (count > 0) {
      if (size > bytes.length) bytes = new Array[Byte](math.min(size * 2L, Int.MaxValue - 8L).toInt)
      System.arraycopy(in.buffer, at, bytes, 0, size)
    }
  }

  def forget(): Unit = {
    term = null
    count = 0
  }

  /** Whether it stands at `pos` again. */
  def isNext(in: TextInput): Boolean = {
    val pos = in.pos
    count > 0 && isClosed && in.limit - pos >= count &&
    Arrays.equals(bytes, 0, count, in.buffer, pos, pos + count)
  }

  /** Its bytes, if they were kept. */
  def copy: Array[Byte] = Arrays.copyOf(bytes, count)
}
