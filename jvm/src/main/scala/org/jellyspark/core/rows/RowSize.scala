package org.jellyspark.core.rows

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.terms.{NTriplesSize, Term}

/** The size in bytes of a row as text: the sum of its terms, name and value. */
private[jellyspark] object RowSize {

  /** Checks the size of a row that was read.
    *
    * @param length
    *   the number of bytes of the row in the file
    * @throws MalformedRowException
    *   if the row is too long, in the file or as text
    */
  def check(row: Row, length: Long, limit: RowLimit): Unit = {
    limit.check(length)
    // The upper bound is cheap, and for most rows it makes counting unnecessary.
    if (sum(row, _.sizeBound, 3L * _.length) > limit.bytes) {
      limit.check(sum(row, _.size, NTriplesSize.ofText))
    }
  }

  private def sum(row: Row, sizeOf: Term => Long, sizeOfText: String => Long): Long =
    ofTerm(row.subject, sizeOf) + ofTerm(row.predicate, sizeOf) + ofTerm(row.obj, sizeOf) +
      sizeOf(row.graph) + ofTerm(row.value, sizeOf) +
      (if (row.name == null) 0 else sizeOfText(row.name))

  private def ofTerm(term: Term, sizeOf: Term => Long): Long =
    if (term == null) 0 else sizeOf(term)
}
