package org.jellyspark.formats.ntriples

import java.util.Arrays

import org.jellyspark.text.{CanonicalTerms, Rdf12Literals}

/** Finds the terms of a line without parsing them. This works for nearly all lines: those whose
  * terms are canonical, or whose object is a literal that can be made canonical in place.
  *
  * @param hasGraphs
  *   whether a line may have a graph
  * @param strict
  *   whether literals that RDF 1.2 forbids need the parser, which reports them
  */
private[ntriples] final class LineScanner(hasGraphs: Boolean, strict: Boolean) {
  import CanonicalTerms.NotCanonical

  /** The indexes at which the terms begin and end, after a successful [[scan]]. The subject begins
    * where the line begins.
    */
  var subjectEnd, predicateFrom, predicateEnd, objectFrom, objectEnd, graphFrom, graphEnd = 0

  // Whether the object is a literal that is not in canonical form.
  private[this] var isEscaped = false

  // The previous line's subject, if it is in the same array. Many lines repeat it, and comparing is
  // faster than scanning.
  private[this] var lastBytes: Array[Byte] = _
  private[this] var lastFrom, lastEnd = 0

  /** Whether the line has a graph. */
  def hasGraph: Boolean = graphEnd > 0

  /** Scans the line that begins at `from`. The array must be padded as [[CanonicalTerms]] requires.
    *
    * @return
    *   the index of the line's end, or [[LineScanner.NeedsParser]]
    */
  def scan(bytes: Array[Byte], from: Int): Int = {
    subjectEnd = endOfSubject(bytes, from)
    if (subjectEnd == NotCanonical) return LineScanner.NeedsParser
    predicateFrom = skipBlanks(bytes, subjectEnd)
    predicateEnd = CanonicalTerms.iri(bytes, predicateFrom)
    if (predicateEnd == NotCanonical) return LineScanner.NeedsParser
    objectFrom = skipBlanks(bytes, predicateEnd)
    objectEnd = CanonicalTerms.any(bytes, objectFrom)
    isEscaped = objectEnd == NotCanonical && bytes(objectFrom) == '"'
    if (isEscaped) objectEnd = CanonicalTerms.escapedLiteral(bytes, objectFrom)
    if (objectEnd == NotCanonical) return LineScanner.NeedsParser
    if (
      strict && bytes(objectFrom) == '"' && !Rdf12Literals.isLiteral(bytes, objectFrom, objectEnd)
    )
      return LineScanner.NeedsParser
    var at = skipBlanks(bytes, objectEnd)
    graphEnd = 0
    if (hasGraphs && bytes(at) != '.') {
      graphFrom = at
      graphEnd = CanonicalTerms.resource(bytes, at)
      if (graphEnd == NotCanonical) return LineScanner.NeedsParser
      at = skipBlanks(bytes, graphEnd)
    }
    if (bytes(at) != '.') return LineScanner.NeedsParser
    at = skipBlanks(bytes, at + 1)
    if (bytes(at) == '#') at = endOfComment(bytes, at)
    if (bytes(at) == '\n' || bytes(at) == '\r') at else LineScanner.NeedsParser
  }

  /** Makes the object canonical in place. The line changes, so it must not be scanned again. */
  def makeCanonical(bytes: Array[Byte]): Unit =
    if (isEscaped) objectEnd = CanonicalTerms.makeCanonical(bytes, objectFrom, objectEnd)

  private def endOfSubject(bytes: Array[Byte], from: Int): Int = {
    val last = lastEnd - lastFrom
    val isLast = (lastBytes eq bytes) && from + last <= bytes.length &&
      Arrays.equals(bytes, lastFrom, lastEnd, bytes, from, from + last)
    // The character after an IRI cannot be part of it.
    val end =
      if (isLast && last > 0 && bytes(lastEnd - 1) == '>') from + last
      else CanonicalTerms.resource(bytes, from)
    if (lastBytes ne bytes) lastBytes = bytes
    lastFrom = from
    lastEnd = math.max(from, end)
    end
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

private[ntriples] object LineScanner {

  /** Returned instead of an index if [[LineParser]] must parse the line. */
  final val NeedsParser = -1
}
