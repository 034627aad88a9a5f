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
}
