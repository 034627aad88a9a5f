package org.jellyspark.core.errors

/** A row cannot be written, because of a rule that it breaks. A writer catches it and adds the row:
  * users see an [[org.jellyspark.UnwritableRowException]].
  */
final class RefusedException(val rule: String) extends Exception(rule, null, false, false)

private[jellyspark] object RefusedException {
  def refuse(rule: String): Nothing = throw new RefusedException(rule)
}
