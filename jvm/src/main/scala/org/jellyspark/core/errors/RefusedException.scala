package org.jellyspark.core.errors

/** Thrown if a row cannot be written because it breaks a rule. A writer catches it and adds the
  * row; users see an [[org.jellyspark.UnwritableRowException]].
  */
final class RefusedException(val rule: String) extends Exception(rule, null, false, false)

private[jellyspark] object RefusedException {
  def refuse(rule: String): Nothing = throw new RefusedException(rule)
}
