package org.jellyspark.formats.rdfpatch

import java.util.Arrays

import org.jellyspark.core.terms.Term
import org.jellyspark.text.TextInput

/** The last term read in one position of a row, with its bytes.
  *
  * `R` repeats it (first version of RDF Patch). It also saves parsing: if the same bytes come
  * again, a single comparison recognizes the term.
  */
private[rdfpatch] final class PreviousTerm {
  import PreviousTerm.MaxSpare

  private[this] var bytes = new Array[Byte](128)
  private[this] var count = 0
  // Whether the token is in `<>`. If so, the same bytes are the same term, whatever follows them.
  private[this] var isClosed = false

  /** The term; null if there is none, or it was only checked. */
  var term: Term = _

  /** The number of bytes of the token; 0 if there is no token, or its bytes were not kept. */
  def length: Int = count

  /** Stores the token from `start`, a place in the row, to the current position, with its term or
    * null.
    */
  def set(in: TextInput, start: Int, made: Term): Unit = {
    val at = in.index(start)
    val size = in.pos - at
    term = made
    isClosed = in.buffer(at) == '<' && in.buffer(at + 1) != '<'
    // The bytes of any other token are only needed if `R` has to parse the term later.
    count = if (made != null && (!isClosed || size > bytes.length)) 0 else size
    if (count > 0) {
      if (size > bytes.length) bytes = new Array[Byte](size + math.min(size, MaxSpare))
      System.arraycopy(in.buffer, at, bytes, 0, size)
    }
  }

  /** Forgets the term. */
  def forget(): Unit = {
    term = null
    count = 0
  }

  /** Whether the same token comes again at `pos`. */
  def isNext(in: TextInput): Boolean = {
    val pos = in.pos
    count > 0 && isClosed && in.limit - pos >= count &&
    Arrays.equals(bytes, 0, count, in.buffer, pos, pos + count)
  }

  /** A copy of the token's bytes, if they were kept. */
  def copy: Array[Byte] = Arrays.copyOf(bytes, count)
}

private object PreviousTerm {

  /** The most spare room to allocate after a token for longer ones, in bytes. */
  private final val MaxSpare = 1 << 10
}
