package org.jellyspark.core.terms

import org.jellyspark.core.errors.RowLimit

/** Adds up the sizes of the terms inside a row's triple terms while they are read, so that a row
  * that is too long is refused before memory is allocated for it.
  */
private[jellyspark] final class TripleTermSize(limit: RowLimit) {
  private[this] var size = 0L

  /** Begins a row. */
  def startRow(): Unit = size = 0L

  /** Adds the size in bytes of a term of a triple term. A term counts as at least
    * [[TripleTermSize.MinTerm]] bytes, for the object that holds it.
    *
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if the row is now too long
    */
  def add(term: Long): Unit = {
    size += math.max(term, TripleTermSize.MinTerm)
    limit.check(size)
  }
}

private object TripleTermSize {
  private final val MinTerm = 64L
}
