package org.jellyspark.jelly.wire

import org.jellyspark.core.errors.MalformedRowException.malformed

/** Errors in a row of a Jelly format that are raised in several places. */
private[jellyspark] object Malformed {

  /** Raises the error that `length` bytes are not a message of the schema. */
  def noMessage(length: Int): Nothing =
    malformed("a row's message", s"$length bytes that are none")

  /** Raises the error that a row leaves out something, and there is nothing before to repeat. */
  def nothingToRepeat(what: String): Nothing =
    malformed(what, "none, and none before to repeat")

  /** A number of 32 bits, as it stands in the file. */
  def unsigned(number: Int): String = Integer.toUnsignedString(number)
}
