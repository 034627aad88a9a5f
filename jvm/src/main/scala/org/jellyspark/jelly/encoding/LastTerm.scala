package org.jellyspark.jelly.encoding

import java.util.Arrays

/** The canonical text of the term that a position had last. */
private[jelly] final class LastTerm {
  import LastTerm._

  /** The prefix of an IRI that the position had before, as others often have it too; it need not be
    * in the lookup any more. Null if there is none.
    */
  var prefix: LookupEntry = _

  private[this] var text = None
  // -1 where there is no term.
  private[this] var length = -1
  private[this] var own = None

  def forget(): Unit = length = -1

  /** Whether it is the text of `length` bytes from `from` on. */
  def is(bytes: Array[Byte], from: Int, length: Int): Boolean =
    length == this.length && Arrays.equals(text, 0, length, bytes, from, from + length)

  /** Sets it to a text that never changes. */
  def share(text: Array[Byte]): Unit = {
    if (this.text ne text) this.text = text
    length = text.length
  }

  /** Sets it to a copy of a text. */
  def copy(bytes: Array[Byte], from: Int, length: Int): Unit = {
    if (length > own.length || own.length > KeptSize) {
      own = new Array[Byte](if (length > KeptSize) length else 2 * length)
    }
    System.arraycopy(bytes, from, own, 0, length)
    // To store a reference is work for the garbage collector, even if it is the same.
    if (text ne own) text = own
    this.length = length
  }
}

private object LastTerm {
  private val None = Array.emptyByteArray
  // What one long text has grown is let go of, not kept for short ones.
  private final val KeptSize = 1 << 20
}
