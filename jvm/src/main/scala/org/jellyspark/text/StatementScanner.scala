package org.jellyspark.text

import java.util.Arrays

import scala.annotation.unused

import org.jellyspark.core.formats.StatementRanges
import org.jellyspark.core.terms.IriSyntax

/** Finds the terms of a statement that ends with its line, without parsing them. This works for
  * nearly all statements: those whose terms are canonical, or whose object is a literal that can be
  * made canonical in place.
  *
  * @param hasGraphs
  *   whether a statement may have a graph
  * @param strict
  *   whether IRIs and literals that RDF 1.2 forbids need the parser, which reports them
  */
private[jellyspark] class StatementScanner(hasGraphs: Boolean, strict: Boolean)
    extends StatementRanges {
  import CanonicalTerms.NotCanonical

  // Whether the object is a literal that is not in canonical form.
  private[this] var isEscaped = false

  // The previous subject, if it is in the same array. Many statements repeat it, and comparing is
  // faster than scanning.
  private[this] var lastBytes: Array[Byte] = _
  private[this] var lastFrom, lastEnd = 0

  /** Scans the statement that begins at `from`. The array must be padded as [[CanonicalTerms]]
    * requires. The ranges are valid if it succeeds.
    *
    * @return
    *   the index of the end of its line, after its `.` and perhaps a comment; or
    *   [[StatementScanner.NeedsParser]]
    */
  final def scan(bytes: Array[Byte], from: Int): Int = {
    val afterSubject = endOfSubject(bytes, from)
    if (afterSubject == NotCanonical) return StatementScanner.NeedsParser
    predicateFrom = skipBlanks(bytes, afterSubject)
    predicateEnd = endOfPredicate(bytes, predicateFrom)
    if (predicateEnd == NotCanonical) return StatementScanner.NeedsParser
    objectFrom = skipBlanks(bytes, predicateEnd)
    objectEnd = CanonicalTerms.any(bytes, objectFrom)
    isEscaped = objectEnd == NotCanonical && bytes(objectFrom) == '"'
    objectType = null
    if (isEscaped) objectEnd = CanonicalTerms.escapedLiteral(bytes, objectFrom)
    else if (objectEnd == NotCanonical) objectEnd = endOfUnquoted(bytes, objectFrom)
    if (objectEnd == NotCanonical) return StatementScanner.NeedsParser
    if (strict && !isStrict(bytes)) return StatementScanner.NeedsParser
    var at = skipBlanks(bytes, objectEnd)
    graphEnd = 0
    if (hasGraphs && bytes(at) != '.') {
      graphFrom = at
      graphEnd = CanonicalTerms.resource(bytes, at)
      if (graphEnd == NotCanonical) return StatementScanner.NeedsParser
      if (strict && !IriSyntax.isPlain(bytes, graphFrom, graphEnd))
        return StatementScanner.NeedsParser
      at = skipBlanks(bytes, graphEnd)
    }
    if (bytes(at) != '.') return StatementScanner.NeedsParser
    at = skipBlanks(bytes, at + 1)
    if (bytes(at) == '#') at = endOfComment(bytes, at)
    if (bytes(at) == '\n' || bytes(at) == '\r') at else StatementScanner.NeedsParser
  }

  /** Whether RDF 1.2 surely allows the subject, the predicate and the object. */
  private def isStrict(bytes: Array[Byte]): Boolean =
    IriSyntax.isPlain(bytes, subjectFrom, subjectEnd) &&
      IriSyntax.isPlain(bytes, predicateFrom, predicateEnd) &&
      IriSyntax.isPlain(bytes, objectFrom, objectEnd) &&
      (bytes(objectFrom) != '"' || Rdf12Literals.isLiteral(bytes, objectFrom, objectEnd))

  /** Makes the object canonical in place. The bytes change, so they must not be scanned again. */
  final def makeCanonical(bytes: Array[Byte]): Unit =
    if (isEscaped) objectEnd = CanonicalTerms.makeCanonical(bytes, objectFrom, objectEnd)

  /** Returns the index after an object without quotes and with a datatype of its own, such as a
    * number, and sets [[objectType]]. Only some formats have such objects.
    *
    * @return
    *   the index, or [[CanonicalTerms.NotCanonical]]
    */
  protected def endOfUnquoted(@unused bytes: Array[Byte], @unused at: Int): Int = NotCanonical

  private def endOfSubject(bytes: Array[Byte], from: Int): Int = {
    val last = lastEnd - lastFrom
    val isLast = (lastBytes eq bytes) && from + last <= bytes.length &&
      Arrays.equals(bytes, lastFrom, lastEnd, bytes, from, from + last)
    // The character after an IRI cannot be part of it.
    if (isLast && last > 0 && bytes(lastEnd - 1) == '>') {
      subjectFrom = lastFrom
      subjectEnd = lastEnd
      from + last
    } else {
      val end = CanonicalTerms.resource(bytes, from)
      if (lastBytes ne bytes) lastBytes = bytes
      lastFrom = from
      lastEnd = math.max(from, end)
      subjectFrom = from
      subjectEnd = end
      end
    }
  }

  private def endOfPredicate(bytes: Array[Byte], from: Int): Int = {
    val length = predicates.lengthOfGuess(bytes, from + 1)
    if (length >= 0 && bytes(from) == '<' && bytes(from + 1 + length) == '>') {
      predicates.setGuess()
      from + length + 2
    } else {
      val end = CanonicalTerms.iri(bytes, from)
      if (end != NotCanonical) predicates.set(bytes, from + 1, end - 1)
      end
    }
  }

  private def endOfComment(bytes: Array[Byte], from: Int): Int = {
    var i = from
    while (bytes(i) != '\n' && bytes(i) != '\r') i += 1
    i
  }

  private def skipBlanks(bytes: Array[Byte], from: Int): Int = {
    var i = from
    while (bytes(i) == ' ' || bytes(i) == '\t') i += 1
    i
  }
}

private[jellyspark] object StatementScanner {

  /** Returned instead of an index if a parser must read the statement. */
  final val NeedsParser = -1
}
