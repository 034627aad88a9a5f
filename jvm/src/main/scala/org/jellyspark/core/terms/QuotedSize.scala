package org.jellyspark.core.terms

import org.jellyspark.core.errors.RowLimit

/** Counts the terms inside the quoted triples of a row while they are read, so that a row that is
  * too long is refused before its memory is made.
  */
private[jellyspark] final class QuotedSize(limit: RowLimit) {
  private[this] var size = 0L

  /** Begins a row. */
  def startRow(): Unit = size = 0L

  /** Adds a term of a quoted triple. One that is shorter than the object that holds it counts as
    * [[QuotedSize.MinTerm]] bytes.
    *
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if the row is too long now
    */
  def add(term: Long): Unit = {
    size += math.max(term, QuotedSize.MinTerm)
    limit.check(size)
  }
}

private object QuotedSize {
  private final val MinTerm = 64L
}
