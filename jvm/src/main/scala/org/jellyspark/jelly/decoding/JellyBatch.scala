package org.jellyspark.jelly.decoding

import org.jellyspark.core.formats.{BatchBuilder, RequestedColumns}
import org.jellyspark.core.rows.{Column, RowNumbering, RowOp}
import org.jellyspark.core.terms.TermFactory

/** Builds a batch from decoded rows. */
private[jelly] final class JellyBatch(
    columns: RequestedColumns,
    factory: TermFactory,
    capacity: Int
) extends BatchBuilder(columns, factory, capacity) {
  private[this] val hasName = columns.contains(Column.Name)
  private[this] val hasValue = columns.contains(Column.Value)
  private[this] val hasGraph = columns.contains(Column.Graph)
  // By position. The column of graphs is created with the first graph, because many files have
  // none.
  private[this] val termColumns =
    Array(asked(Column.Subject), asked(Column.Predicate), asked(Column.Object), null)

  override def extend(): Unit = {
    super.extend()
    termColumns(Position.Subject) = result.values(Column.Subject.index)
    termColumns(Position.Predicate) = result.values(Column.Predicate.index)
    termColumns(Position.Object) = result.values(Column.Object.index)
    termColumns(Position.Graph) = result.values(Column.Graph.index)
  }

  /** The columns of a statement's terms, by [[Position]]; null for columns that are not requested.
    *
    * @param withGraph
    *   whether to create the column of graphs, if it is requested
    */
  def terms(withGraph: Boolean): Array[Array[AnyRef]] = {
    if (withGraph && hasGraph && termColumns(Position.Graph) == null) {
      termColumns(Position.Graph) = newValues(Column.Graph)
    }
    termColumns
  }

  /** Adds a row with the content of `row`.
    *
    * @param numbering
    *   provides the patch and the transaction
    * @param seq
    *   the ordinal of the row
    * @param frame
    *   the ordinal of the frame
    */
  def add(
      op: RowOp,
      row: DecodedRow,
      numbering: RowNumbering,
      seq: Long,
      frame: Long
  ): Unit = {
    if (DecodedRow.isStatement(op)) {
      put(row.terms, Position.Subject)
      put(row.terms, Position.Predicate)
      put(row.terms, Position.Object)
      put(row.terms, Position.Graph)
    } else if (op.hasName) {
      if (hasName) put(row.name, Column.Name)
      if (hasValue && row.value != null) put(row.value, Column.Value)
      if (row.hasGraph) put(row.terms, Position.Graph)
    }
    add(op, numbering.patch, numbering.transaction, seq, frame)
  }

  private def put(terms: Array[AnyRef], position: Int): Unit = {
    val term = terms(position)
    val column = this.terms(withGraph = term != null)(position)
    if (column != null) column(size) = term
  }

  private def asked(column: Column): Array[AnyRef] =
    if (columns.contains(column)) newValues(column) else null
}
