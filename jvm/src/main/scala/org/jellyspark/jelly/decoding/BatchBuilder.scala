package org.jellyspark.jelly.decoding

import org.jellyspark.core.rows.{Column, ColumnBatch, RowNumbering, RowOp}
import org.jellyspark.core.terms.TermFactory

/** Builds a batch of the requested columns. The batch is full when it has `capacity` rows, or when
  * the terms created for it take up too much memory.
  *
  * @param factory
  *   creates the terms
  * @param capacity
  *   the number of rows for which there is room
  */
private[jelly] final class BatchBuilder(
    columns: RequestedColumns,
    factory: TermFactory,
    private[this] var capacity: Int
) {
  private[this] val batch = new ColumnBatch
  private[this] var mayBeMade = factory.made + ColumnBatch.MaxBytes
  private[this] val hasName = columns.contains(Column.Name)
  private[this] val hasValue = columns.contains(Column.Value)
  private[this] val hasGraph = columns.contains(Column.Graph)
  // By position. The column of graphs is created with the first graph, because many files have
  // none.
  private[this] val termColumns =
    Array(asked(Column.Subject), asked(Column.Predicate), asked(Column.Object), null)
  // Null if the column is not requested.
  private[this] var ops = if (columns.contains(Column.Op)) new Array[Byte](capacity) else null
  private[this] var patches = newNumbers(Column.Patch)
  private[this] var transactions = newNumbers(Column.Tx)
  private[this] var frames = newNumbers(Column.Frame)
  private[this] var seqs = newNumbers(Column.Seq)
  batch.ops = ops

  /** The number of rows so far. */
  def size: Int = batch.size

  /** The number of rows for which there is room. */
  def maxSize: Int = capacity

  def isFull: Boolean = batch.size == capacity || factory.made > mayBeMade

  /** Makes room for more rows in a full batch. */
  def extend(): Unit = {
    mayBeMade = factory.made + ColumnBatch.MaxBytes
    if (batch.size == capacity) {
      capacity = ColumnBatch.longer(capacity)
      batch.resize(capacity)
      ops = batch.ops
      termColumns(Position.Subject) = batch.values(Column.Subject.index)
      termColumns(Position.Predicate) = batch.values(Column.Predicate.index)
      termColumns(Position.Object) = batch.values(Column.Object.index)
      termColumns(Position.Graph) = batch.values(Column.Graph.index)
      patches = batch.numbers(Column.Patch.index)
      transactions = batch.numbers(Column.Tx.index)
      frames = batch.numbers(Column.Frame.index)
      seqs = batch.numbers(Column.Seq.index)
    }
  }

  /** The batch. No rows may be added afterwards. */
  def result: ColumnBatch = batch

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

  /** Adds a statement whose terms are already in the columns.
    *
    * @param numbering
    *   provides the patch and the transaction
    * @param seq
    *   the ordinal of the row
    * @param frame
    *   the ordinal of the frame
    */
  def add(op: RowOp, numbering: RowNumbering, seq: Long, frame: Long): Unit = {
    val i = batch.size
    if (ops != null) ops(i) = op.ordinal.toByte
    if (seqs != null) seqs(i) = seq
    if (frames != null) frames(i) = frame
    if (patches != null) patches(i) = numbering.patch
    if (transactions != null) transactions(i) = numbering.transaction
    batch.size += 1
  }

  /** Adds a row with the content of `row`. */
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
      if (hasValue) put(row.value, Column.Value)
      if (row.hasGraph) put(row.terms, Position.Graph)
    }
    add(op, numbering, seq, frame)
  }

  private def put(terms: Array[AnyRef], position: Int): Unit = {
    val term = terms(position)
    val column = this.terms(withGraph = term != null)(position)
    if (column != null) column(batch.size) = term
  }

  /** Sets a name or a value. Few rows have one, so their columns are created with the first one. */
  private def put(value: AnyRef, column: Column): Unit = if (value != null) {
    val values = batch.values(column.index)
    (if (values == null) newValues(column) else values) (batch.size) = value
  }

  private def asked(column: Column): Array[AnyRef] =
    if (columns.contains(column)) newValues(column) else null

  private def newValues(column: Column): Array[AnyRef] = {
    batch.values(column.index) = new Array[AnyRef](capacity)
    batch.values(column.index)
  }

  private def newNumbers(column: Column): Array[Long] = {
    if (columns.contains(column)) batch.numbers(column.index) = new Array[Long](capacity)
    batch.numbers(column.index)
  }
}

/** The requested columns, prepared for creating many batches. */
private[jelly] final class RequestedColumns(columns: Set[Column]) {
  private[this] val isRequested = Column.all.map(columns).toArray

  def contains(column: Column): Boolean = isRequested(column.index)
}
