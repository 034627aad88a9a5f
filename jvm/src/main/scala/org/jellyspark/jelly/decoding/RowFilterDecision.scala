package org.jellyspark.jelly.decoding

import org.jellyspark.core.rows.{Column, RowFilter, RowOp}

/** Decides whether a row passes the filter of a request. [[TermReader.passes]] decides about its
  * terms.
  */
private[jelly] final class RowFilterDecision(filter: RowFilter) {

  /** Whether there is a filter. If not, every row passes and nothing else needs to be called. */
  val isFiltered: Boolean = !filter.columns.isEmpty

  // Indexed by the ordinal of the op.
  private[this] val opPasses = RowOp.values.map(passesOp).toArray
  private[this] val nullTriplePasses =
    List(Column.Subject, Column.Predicate, Column.Object).forall(passesNull)
  private[this] val nullGraphPasses = passesNull(Column.Graph)

  /** Whether a statement with the current terms of these readers passes. */
  def ofStatement(
      op: RowOp,
      subject: TermReader,
      predicate: TermReader,
      obj: TermReader,
      graph: TermReader
  ): Boolean =
    opPasses(op.ordinal) && subject.passes && predicate.passes && obj.passes && graph.passes

  /** Whether a row passes that has a graph but no other term of a statement. */
  def withGraph(op: RowOp, graph: TermReader): Boolean =
    opPasses(op.ordinal) && nullTriplePasses && graph.passes

  /** Whether a row passes that has no term of a statement. */
  def withoutTerms(op: RowOp): Boolean =
    opPasses(op.ordinal) && nullTriplePasses && nullGraphPasses

  private def passesNull(column: Column): Boolean = {
    val allowed = filter.of(column)
    allowed == null || allowed.nulls
  }

  private def passesOp(op: RowOp): Boolean = {
    val allowed = filter.of(Column.Op)
    allowed == null || allowed.texts.forall(_.contains(op.code))
  }
}
