package org.jellyspark.core.formats

import org.jellyspark.core.terms.RepeatedIris

/** Where the terms of a statement are in an array, as canonical N-Triples: from an index, and up to
  * another one, exclusive. A scanner sets them for each statement. A subject that is repeated can
  * be where an earlier statement has it.
  */
private[jellyspark] abstract class StatementRanges {
  var subjectFrom, subjectEnd, predicateFrom, predicateEnd, objectFrom, objectEnd = 0
  var graphFrom, graphEnd = 0

  /** The predicates. The last one that was set is that of the statement. */
  final val predicates = new RepeatedIris

  /** The array that holds the object, if it is another one; otherwise null. */
  var objectBytes: Array[Byte] = _

  /** The IRI of the object's datatype, if the range has only its lexical form, which has no
    * characters that canonical N-Triples escapes; otherwise null.
    */
  var objectType: String = _

  /** The array that holds the object, if the other terms are in `bytes`. */
  final def objectIn(bytes: Array[Byte]): Array[Byte] =
    if (objectBytes == null) bytes else objectBytes

  /** Whether the statement has a graph. */
  final def hasGraph: Boolean = graphEnd > 0
}
