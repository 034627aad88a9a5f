package org.jellyspark.core.errors

/** A rule that a row breaks; a writer adds the row. */
private[jellyspark] final class RefusedException(val rule: String)
    extends Exception(rule, null, false, false)

private[jellyspark] object RefusedException {
  def refuse(rule: String): Nothing = throw new RefusedException(rule)
}
