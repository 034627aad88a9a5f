package org.jellyspark.codec

/** A rule that a row breaks; [[PatchWriter]] adds the row. */
private[codec] final class RefusedException(val rule: String)
    extends Exception(rule, null, false, false)

private[codec] object RefusedException {
  def refuse(rule: String): Nothing = throw new RefusedException(rule)
}
