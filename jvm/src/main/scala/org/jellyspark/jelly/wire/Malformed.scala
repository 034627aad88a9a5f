package org.jellyspark.jelly.wire

import org.jellyspark.core.errors.MalformedRowException.malformed

/** Errors about rows of a Jelly format that several classes throw. */
private[jellyspark] object Malformed {

  /** Throws the error that `length` bytes are not a message of the schema. */
  def noMessage(length: Int): Nothing =
    malformed("a well-formed row", s"$length bytes that are not a message of the schema")

  /** Throws the error that a row omits something, but there is nothing before it to repeat.
    *
    * @param what
    *   what is omitted, with its article
    */
  def nothingToRepeat(what: String): Nothing = {
    val name = what.substring(what.indexOf(' ') + 1)
    malformed(what, s"no $name, and no earlier one to repeat")
  }

  /** Formats a 32-bit number as unsigned. */
  def unsigned(number: Int): String = Integer.toUnsignedString(number)
}

/** Thrown if a row is not in canonical form, or is not a message at all. [[MessageWalker]] finds
  * out which. A single object without a stack trace, because some streams have many such rows.
  */
private[jellyspark] object NonCanonical extends Exception(null, null, false, false) {
  private def readResolve(): AnyRef = NonCanonical
}
