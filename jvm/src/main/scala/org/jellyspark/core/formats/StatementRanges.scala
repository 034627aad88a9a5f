package org.jellyspark.core.formats

/** Where the terms of a statement are in an array, as canonical N-Triples: from an index, and up to
  * another one, exclusive. A scanner sets them for each statement.
  */
private[jellyspark] abstract class StatementRanges {
  var subjectFrom, subjectEnd, predicateFrom, predicateEnd, objectFrom, objectEnd = 0
  var graphFrom, graphEnd = 0

  /** The IRI of the object's datatype, if the range has only its lexical form, which has no
    * characters that canonical N-Triples escapes; otherwise null.
    */
  var objectType: String = _

  /** Whether the statement has a graph. */
  final def hasGraph: Boolean = graphEnd > 0
}
