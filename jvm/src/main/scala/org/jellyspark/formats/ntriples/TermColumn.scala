package org.jellyspark.formats.ntriples

import java.util.Arrays

import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows.{Column, ColumnBatch}
import org.jellyspark.core.terms.{Term, TermCache, TermFactory}

/** A column of a batch that is being filled with terms, and the filter on it.
  *
  * A term is made from the bytes of its line, which it refers to. Where it repeats an earlier term,
  * as subjects and predicates often do, that one is used again.
  *
  * @param repeats
  *   how the terms of the column repeat
  */
private[ntriples] final class TermColumn(
    column: Column.TermColumn,
    repeats: TermColumn.Repeats,
    request: BatchRequest,
    factory: TermFactory
) {
  import TermColumn._

  private[this] val isRequested = request.columns.contains(column)
  private[this] val allowed = AllowedTexts(request.filter.of(column))
  private[this] val isLast = repeats == Last
  private[this] val cache = if (repeats == Cached) new TermCache[AnyRef] else null
  // The last term, and its bytes.
  private[this] var last: AnyRef = _
  private[this] var lastBytes: Array[Byte] = _
  private[this] var lastFrom, lastTo = 0
  // Null if the column is not requested, and for a column that no row of the batch has yet.
  private[this] var values: Array[AnyRef] = _

  /** Begins a batch. The column of graphs is made with the first graph. */
  def begin(batch: ColumnBatch, capacity: Int): Unit = {
    values = null
    if (column != Column.Graph) provide(batch, capacity)
  }

  /** Makes the array of the batch, if it is not there. */
  def provide(batch: ColumnBatch, capacity: Int): Unit = if (isRequested && values == null) {
    values = new Array[AnyRef](capacity)
    batch.values(column.index) = values
  }

  /** Whether the filter allows the term whose canonical text is the bytes. */
  def allows(bytes: Array[Byte], from: Int, to: Int): Boolean =
    allowed == null || allowed.has(bytes, from, to)

  /** Whether the filter allows a term; null is the default graph. */
  def allows(term: Term): Boolean = allowed == null || allowed.has(term)

  /** Whether the filter allows the default graph. */
  def allowsNull: Boolean = allowed == null || allowed.nulls

  /** Sets the value of a row to the term whose canonical text is the bytes. */
  def set(row: Int, bytes: Array[Byte], from: Int, to: Int): Unit = if (values != null) {
    values(row) =
      if (isLast) repeated(bytes, from, to)
      else if (cache != null) cached(bytes, from, to)
      else factory.canonical(bytes, from, to)
  }

  /** Sets the value of a row; null is the default graph. */
  def set(row: Int, term: Term): Unit =
    if (values != null && (term ne null)) values(row) = factory.of(term)

  private def repeated(bytes: Array[Byte], from: Int, to: Int): AnyRef = {
    val isSame = last != null && Arrays.equals(lastBytes, lastFrom, lastTo, bytes, from, to)
    if (!isSame) {
      last = factory.canonical(bytes, from, to)
      // Storing a reference into an old-generation object triggers a GC write barrier.
      if (lastBytes ne bytes) lastBytes = bytes
      lastFrom = from
      lastTo = to
    }
    last
  }

  private def cached(bytes: Array[Byte], from: Int, to: Int): AnyRef = {
    val known = cache.find(bytes, from, to - from)
    if (known != null) known
    else {
      // A copy: the term in the cache would keep the whole block.
      val text = Arrays.copyOfRange(bytes, from, to)
      val made = factory.canonical(text, 0, text.length)
      cache.put(bytes, from, text.length, made, text.length.toLong)
      made
    }
  }
}

private[ntriples] object TermColumn {

  /** How the terms of a column repeat. */
  sealed trait Repeats

  /** Most terms come once. */
  case object Rarely extends Repeats

  /** Many terms are the one before. */
  case object Last extends Repeats

  /** There are few terms. */
  case object Cached extends Repeats
}
