package org.jellyspark.core.formats

import org.jellyspark.core.rows.{Column, ColumnBatch, RowOp}
import org.jellyspark.core.terms.TermFactory

/** Builds a batch of the requested columns. The batch is full when it has `capacity` rows, or when
  * the terms created for it take up too much memory.
  *
  * @param factory
  *   creates the terms
  * @param capacity
  *   the number of rows for which there is room
  */
private[jellyspark] class BatchBuilder(
    columns: RequestedColumns,
    factory: TermFactory,
    private[this] var capacity: Int
) {
  private[this] val batch = new ColumnBatch
  private[this] var mayBeMade = factory.made + ColumnBatch.MaxBytes
  // Null if the column is not requested.
  private[this] var ops = if (columns.contains(Column.Op)) new Array[Byte](capacity) else null
  private[this] var patches = newNumbers(Column.Patch)
  private[this] var transactions = newNumbers(Column.Tx)
  private[this] var frames = newNumbers(Column.Frame)
  private[this] var seqs = newNumbers(Column.Seq)
  batch.ops = ops

  /** The number of rows so far. */
  final def size: Int = batch.size

  /** The number of rows for which there is room. */
  final def maxSize: Int = capacity

  final def isFull: Boolean = batch.size == capacity || factory.made > mayBeMade

  /** Makes room for more rows in a full batch. */
  def extend(): Unit = {
    mayBeMade = factory.made + ColumnBatch.MaxBytes
    if (batch.size == capacity) {
      capacity = ColumnBatch.longer(capacity)
      batch.resize(capacity)
      ops = batch.ops
      patches = batch.numbers(Column.Patch.index)
      transactions = batch.numbers(Column.Tx.index)
      frames = batch.numbers(Column.Frame.index)
      seqs = batch.numbers(Column.Seq.index)
    }
  }

  /** The batch. No rows may be added afterwards. */
  final def result: ColumnBatch = batch

  /** Adds a row whose values are already in the columns.
    *
    * @param patch
    *   the ordinal of the patch
    * @param transaction
    *   the ordinal of the transaction
    * @param seq
    *   the ordinal of the row
    * @param frame
    *   the ordinal of the frame
    */
  final def add(op: RowOp, patch: Long, transaction: Long, seq: Long, frame: Long): Unit = {
    val i = batch.size
    if (ops != null) ops(i) = op.ordinal.toByte
    if (seqs != null) seqs(i) = seq
    if (frames != null) frames(i) = frame
    if (patches != null) patches(i) = patch
    if (transactions != null) transactions(i) = transaction
    batch.size += 1
  }

  /** Sets a value of the next row. The column is created with its first value, because many have
    * none.
    */
  final def put(value: AnyRef, column: Column): Unit = {
    val values = batch.values(column.index)
    (if (values == null) newValues(column) else values) (batch.size) = value
  }

  /** Creates a column of terms or strings. */
  protected final def newValues(column: Column): Array[AnyRef] = {
    batch.values(column.index) = new Array[AnyRef](capacity)
    batch.values(column.index)
  }

  private def newNumbers(column: Column): Array[Long] = {
    if (columns.contains(column)) batch.numbers(column.index) = new Array[Long](capacity)
    batch.numbers(column.index)
  }
}

/** The requested columns, prepared for creating many batches. */
private[jellyspark] final class RequestedColumns(columns: Set[Column]) {
  private[this] val isRequested = Column.all.map(columns).toArray

  def contains(column: Column): Boolean = isRequested(column.index)
}
