package org.jellyspark.jelly.decoding

import org.jellyspark.core.rows.{Column, ColumnBatch, RowNumbering, RowOp}

/** A batch that is being filled with the columns that are asked for, and that has room for
  * [[BatchBuilder.MaxRows]] rows.
  */
private[jelly] final class BatchBuilder(columns: Set[Column]) {
  import BatchBuilder.MaxRows

  private[this] val batch = new ColumnBatch
  private[this] val hasName = columns.contains(Column.Name)
  private[this] val hasValue = columns.contains(Column.Value)
  private[this] val hasGraph = columns.contains(Column.Graph)
  // By position; that of graphs from the first one on, as many files have none.
  private[this] val termColumns =
    Array(asked(Column.Subject), asked(Column.Predicate), asked(Column.Object), null)
  // Null where they were not asked for.
  private[this] val ops = if (columns.contains(Column.Op)) new Array[Byte](MaxRows) else null
  private[this] val patches = newNumbers(Column.Patch)
  private[this] val transactions = newNumbers(Column.Tx)
  private[this] val frames = newNumbers(Column.Frame)
  private[this] val seqs = newNumbers(Column.Seq)
  batch.ops = ops

  /** The rows so far. */
  def size: Int = batch.size

  def isFull: Boolean = batch.size == MaxRows

  /** The batch, which is not to be added to any more. */
  def result: ColumnBatch = batch

  /** The columns of a statement's terms, by position; null what was not asked for.
    *
    * @param withGraph
    *   whether that of graphs is to be among them
    */
  def terms(withGraph: Boolean): Array[Array[AnyRef]] = {
    if (withGraph && hasGraph && termColumns(TermReader.Graph) == null) {
      termColumns(TermReader.Graph) = newValues(Column.Graph)
    }
    termColumns
  }

  /** Adds a row whose terms are in [[terms]] already, with the numbers of the row numbered last but
    * for its own.
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

  /** Adds a row that was decoded. */
  def add(
      op: RowOp,
      decoder: JellyDecoder,
      numbering: RowNumbering,
      seq: Long,
      frame: Long
  ): Unit = {
    if (JellyDecoder.isStatement(op)) {
      put(decoder.terms, TermReader.Subject)
      put(decoder.terms, TermReader.Predicate)
      put(decoder.terms, TermReader.Object)
      put(decoder.terms, TermReader.Graph)
    } else if (op.hasName) {
      if (hasName) put(decoder.name, Column.Name)
      if (hasValue) put(decoder.value, Column.Value)
      if (decoder.hasGraph) put(decoder.terms, TermReader.Graph)
    }
    add(op, numbering, seq, frame)
  }

  private def put(terms: Array[AnyRef], position: Int): Unit = {
    val term = terms(position)
    val column = this.terms(withGraph = term != null)(position)
    if (column != null) column(batch.size) = term
  }

  /** Few rows have these. */
  private def put(value: AnyRef, column: Column): Unit = if (value != null) {
    val values = batch.values(column.index)
    (if (values == null) newValues(column) else values) (batch.size) = value
  }

  private def asked(column: Column): Array[AnyRef] =
    if (columns.contains(column)) newValues(column) else null

  private def newValues(column: Column): Array[AnyRef] = {
    batch.values(column.index) = new Array[AnyRef](MaxRows)
    batch.values(column.index)
  }

  private def newNumbers(column: Column): Array[Long] = {
    if (columns.contains(column)) batch.numbers(column.index) = new Array[Long](MaxRows)
    batch.numbers(column.index)
  }
}

private[jelly] object BatchBuilder {
  final val MaxRows = 4096
}
