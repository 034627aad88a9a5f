package org.jellyspark.jelly

/** An entry of a lookup of the encoder, as long as it is in the lookup, and after that, to know
  * that it is not.
  */
private[jelly] final class LookupEntry(val bytes: Array[Byte], val hash: Int, val id: Int) {

  /** Whether the lookup still has it. */
  var isHere: Boolean = true

  /** Whether it is known to be an IRI that is the same in texts. */
  var isPlain: Boolean = false

  /** The last row that used it. */
  var usedIn: Long = 0

  /** Its neighbours in the order in which entries were used last. */
  var newer: LookupEntry = this
  var older: LookupEntry = this

  /** Takes it out of that order. */
  def unlink(): Unit = {
    older.newer = newer
    newer.older = older
  }

  /** Puts it into that order, after another. */
  def linkAfter(other: LookupEntry): Unit = {
    older = other
    newer = other.newer
    newer.older = this
    other.newer = this
  }
}
