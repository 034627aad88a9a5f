package org.jellyspark.core.errors

/** Thrown if the input is malformed. A reader catches it and adds the file and the position; users
  * see a [[org.jellyspark.MalformedInputException]].
  *
  * It has no stack trace, because readers that skip malformed rows may catch many of them.
  */
private[jellyspark] final class MalformedRowException(val expected: String, val found: String)
    extends Exception(expected, null, false, false)

private[jellyspark] object MalformedRowException {

  /** What is expected where a stream throws a [[CorruptInputException]]. */
  val Undamaged = "undamaged compressed input"

  def malformed(expected: String, found: String): Nothing =
    throw new MalformedRowException(expected, found)

  /** Throws an error about a row of an unknown kind. */
  def noKind(): Nothing = malformed("a row of a known kind", "a row without a known field")

  /** Throws an error about text that is not valid UTF-8, which `found` describes. */
  def noUtf8(found: String): Nothing = malformed("UTF-8", found)
}
