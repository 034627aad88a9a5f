package org.jellyspark.jelly.encoding

/** An entry of a lookup of the encoder.
  *
  * @param stamp
  *   a number that no other entry of the lookup has had
  */
private[jelly] final class LookupEntry(val bytes: Array[Byte], val id: Int, val stamp: Int) {

  /** Whether it is known to be an IRI that is the same in texts. */
  var isPlain: Boolean = false
}
