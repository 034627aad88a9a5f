package org.jellyspark.core.errors

/** The input breaks its format. A reader catches it and adds the file and the place: users see a
  * [[org.jellyspark.MalformedInputException]].
  *
  * It has no stack trace, because readers that go on behind malformed rows catch many.
  */
private[jellyspark] final class MalformedRowException(val expected: String, val found: String)
    extends Exception(expected, null, false, false)

private[jellyspark] object MalformedRowException {

  /** What is expected where a stream throws [[CorruptInputException]]. */
  val Undamaged = "undamaged compressed input"

  def malformed(expected: String, found: String): Nothing =
    throw new MalformedRowException(expected, found)

  /** Fails for a row of a kind that the format does not have, or of no kind. */
  def noKind(): Nothing = malformed("a row of a known kind", "a row without a known field")

  /** Fails for a text that is not UTF-8, which `found` describes. */
  def noUtf8(found: String): Nothing = malformed("UTF-8", found)
}
