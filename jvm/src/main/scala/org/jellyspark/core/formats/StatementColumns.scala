package org.jellyspark.core.formats

import org.jellyspark.core.rows.{Column, ColumnBatch, Row}
import org.jellyspark.core.terms.TermFactory

/** The four columns of statements in a batch that is being built, with the filters on them.
  *
  * @param factory
  *   creates the terms
  */
private[jellyspark] final class StatementColumns(request: BatchRequest, factory: TermFactory) {
  private[this] val subjects =
    new TermColumnBuilder(Column.Subject, request, factory, reusesLast = true)
  private[this] val predicates =
    new TermColumnBuilder(Column.Predicate, request, factory)
  private[this] val objects = new TermColumnBuilder(Column.Object, request, factory)
  private[this] val graphs =
    new TermColumnBuilder(Column.Graph, request, factory, reusesLast = true)
  private[this] var batch: ColumnBatch = _
  private[this] var capacity = 0

  /** Begins a batch with room for `capacity` rows. */
  def begin(batch: ColumnBatch, capacity: Int): Unit = {
    this.batch = batch
    this.capacity = capacity
    subjects.begin(batch, capacity)
    predicates.begin(batch, capacity)
    objects.begin(batch, capacity)
    graphs.begin(batch, capacity)
  }

  /** Whether the filter allows the statement whose terms are in `bytes`. */
  def allows(bytes: Array[Byte], at: StatementRanges): Boolean =
    subjects.allows(bytes, at.subjectFrom, at.subjectEnd) &&
      predicates.allows(bytes, at.predicateFrom, at.predicateEnd) &&
      objects.allows(at.objectIn(bytes), at.objectFrom, at.objectEnd, at.objectType) &&
      (if (at.hasGraph) graphs.allows(bytes, at.graphFrom, at.graphEnd) else graphs.allowsNull)

  /** Whether the filter allows the terms of a row. */
  def allows(row: Row): Boolean =
    subjects.allows(row.subject) && predicates.allows(row.predicate) &&
      objects.allows(row.obj) && graphs.allows(row.graphCell.term)

  /** Sets the terms of the batch's next row to those in `bytes`, which must not change any more. */
  def set(bytes: Array[Byte], at: StatementRanges): Unit = {
    val row = batch.size
    subjects.set(row, bytes, at.subjectFrom, at.subjectEnd)
    if (at.predicates.hasEntry) predicates.set(row, at.predicates)
    else predicates.set(row, bytes, at.predicateFrom, at.predicateEnd)
    objects.set(row, at.objectIn(bytes), at.objectFrom, at.objectEnd, at.objectType)
    if (at.hasGraph) {
      graphs.provide(batch, capacity)
      graphs.set(row, bytes, at.graphFrom, at.graphEnd)
    }
  }

  /** Sets the terms of the batch's next row to those of a row. */
  def set(row: Row): Unit = {
    val at = batch.size
    subjects.set(at, row.subject)
    predicates.set(at, row.predicate)
    objects.set(at, row.obj)
    val graph = row.graphCell.term
    if (graph ne null) {
      graphs.provide(batch, capacity)
      graphs.set(at, graph)
    }
  }
}
