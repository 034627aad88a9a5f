package org.jellyspark.jelly.wire

import org.jellyspark.core.errors.MalformedRowException.malformed

/** Errors in a row of a Jelly format that are raised in several places. */
private[jellyspark] object Malformed {

  /** Raises the error that `length` bytes are not a message of the schema. */
  def noMessage(length: Int): Nothing =
    malformed("a well-formed row", s"$length bytes that are not a message of the schema")

  /** Raises the error that a row leaves out something, and there is nothing before to repeat.
    *
    * @param what
    *   what is left out, with its article
    */
  def nothingToRepeat(what: String): Nothing = {
    val name = what.substring(what.indexOf(' ') + 1)
    malformed(what, s"no $name, and no earlier one to repeat")
  }

  /** A number of 32 bits, as it stands in the file. */
  def unsigned(number: Int): String = Integer.toUnsignedString(number)
}
