package org.jellyspark.jelly.wire

/** Thrown if a row is not in canonical form, or is not a message at all. [[MessageWalker]] finds
  * out which. A single object without a stack trace, because some streams have many such rows.
  */
private[jellyspark] object NonCanonical extends Exception(null, null, false, false) {
  private def readResolve(): AnyRef = NonCanonical
}
