package org.jellyspark.core.errors

import org.jellyspark.core.terms.QuotedTriple

/** The input breaks its format; a reader adds where. */
private[jellyspark] final class MalformedRowException(val expected: String, val found: String)
    extends Exception(expected, null, false, false)

private[jellyspark] object MalformedRowException {

  /** What is expected where a stream throws [[CorruptInputException]]. */
  val Undamaged = "compressed input that is whole"

  def malformed(expected: String, found: String): Nothing =
    throw new MalformedRowException(expected, found)

  def noKind(): Nothing = malformed("a row of a known kind", "none")

  def noUtf8(): Nothing = malformed("UTF-8", "other bytes")

  def quotedTooDeep(): Nothing =
    malformed(s"triples quoted at most ${QuotedTriple.MaxDepth} deep", "deeper ones")

  /** Checks that a term of a quoted triple, which is null if there is none, is there. */
  def checkQuoted(term: AnyRef, what: String): Unit =
    if (term == null) malformed("all terms of a quoted triple", s"no $what")
}
