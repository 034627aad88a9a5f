package org.jellyspark.jelly.wire

/** A row is not in canonical form, or is not a message at all: [[MessageWalker]] finds out which.
  * One object without a stack trace, as some streams have many such rows.
  */
private[jellyspark] object NonCanonical extends Exception(null, null, false, false) {
  private def readResolve(): AnyRef = NonCanonical
}
