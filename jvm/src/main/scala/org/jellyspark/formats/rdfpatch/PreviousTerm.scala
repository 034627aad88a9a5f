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
  import PreviousTerm._

  // The token is the `count` bytes from `from` on. Nearly always, the array is the input's buffer.
  private[this] var bytes: Array[Byte] = _
  private[this] var from = 0
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
    set(in.buffer, at, in.pos, made)
  }

  /** Stores the token `buffer[at, end)`, with its term or null. The bytes must not change any more.
    */
  def set(buffer: Array[Byte], at: Int, end: Int, made: Term): Unit = {
    term = made
    isClosed = buffer(at) == '<' && buffer(at + 1) != '<'
    // The bytes of any other token are only needed if `R` has to parse the term later.
    count = if (made != null && (!isClosed || end - at > MaxClosed)) 0 else end - at
    if (count > 0) keep(buffer, at, end)
  }

  private def keep(buffer: Array[Byte], at: Int, end: Int): Unit =
    if (buffer.length <= MaxKept) {
      // Storing a reference into an old-generation object triggers a GC write barrier.
      if (bytes ne buffer) bytes = buffer
      from = at
    } else {
      bytes = Arrays.copyOfRange(buffer, at, end)
      from = 0
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
    Arrays.equals(bytes, from, from + count, in.buffer, pos, pos + count)
  }

  /** A copy of the token's bytes, if they were kept. */
  def copy: Array[Byte] = Arrays.copyOfRange(bytes, from, from + count)
}

private object PreviousTerm {

  /** The longest token in `<>` to compare with, in bytes. */
  private final val MaxClosed = 1 << 10

  /** The longest buffer to keep alive for a token, in bytes. From longer ones, the token is copied.
    */
  private final val MaxKept = 1 << 18
}
