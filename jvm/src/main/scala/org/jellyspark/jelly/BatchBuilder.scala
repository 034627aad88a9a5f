package org.jellyspark.jelly

import org.jellyspark.core._

/** A batch that is being filled with the columns that are asked for, and that has room for
  * [[BatchBuilder.MaxRows]] rows.
  */
private[jelly] final class BatchBuilder(columns: Set[Column]) {
  import BatchBuilder.MaxRows

  private[this] val batch = new ColumnBatch
  private[this] val hasGraph = columns.contains(Column.Graph)
  private[this] val hasName = columns.contains(Column.Name)
  private[this] val hasValue = columns.contains(Column.Value)
  private[this] val hasColumns = !columns.isEmpty
  // Null where they were not asked for.
  private[this] val ops = if (columns.contains(Column.Op)) new Array[Byte](MaxRows) else null
  private[this] val subjects = terms(Column.Subject)
  private[this] val predicates = terms(Column.Predicate)
  private[this] val objects = terms(Column.Object)
  private[this] val patches = numbers(Column.Patch)
  private[this] val transactions = numbers(Column.Tx)
  private[this] val frames = numbers(Column.Frame)
  private[this] val seqs = numbers(Column.Seq)
  batch.ops = ops

  /** The rows so far. */
  def size: Int = batch.size

  def isFull: Boolean = batch.size == MaxRows

  /** The batch, which is not to be added to any more. */
  def result: ColumnBatch = batch

  /** Adds a statement, of terms by their position, with the numbers of the row numbered last. */
  def addStatement(
      op: RowOp,
      terms: Array[AnyRef],
      numbering: RowNumbering,
      seq: Long,
      frame: Long
  ): Unit = {
    if (hasColumns) {
      val i = batch.size
      if (ops != null) ops(i) = op.ordinal.toByte
      if (subjects != null) subjects(i) = terms(TermReader.Subject)
      if (predicates != null) predicates(i) = terms(TermReader.Predicate)
      if (objects != null) objects(i) = terms(TermReader.Object)
      if (hasGraph) put(terms(TermReader.Graph), Column.Graph)
      if (seqs != null) seqs(i) = seq
      if (frames != null) frames(i) = frame
      if (patches != null) patches(i) = numbering.patch
      if (transactions != null) transactions(i) = numbering.transaction
    }
    batch.size += 1
  }

  /** Adds the row that was decoded last, and numbered. */
  def add(op: RowOp, decoder: JellyDecoder, numbering: RowNumbering, frame: Long): Unit =
    if (JellyDecoder.isStatement(op)) {
      addStatement(op, decoder.terms, numbering, numbering.seq, frame)
    } else {
      val i = batch.size
      if (ops != null) ops(i) = op.ordinal.toByte
      if (!op.columns.isEmpty) {
        if (hasName) put(decoder.name, Column.Name)
        if (hasValue) put(decoder.value, Column.Value)
        if (hasGraph && decoder.hasGraph) put(decoder.terms(TermReader.Graph), Column.Graph)
      }
      if (seqs != null) seqs(i) = numbering.seq
      if (frames != null) frames(i) = frame
      if (patches != null) patches(i) = numbering.patch
      if (transactions != null) transactions(i) = numbering.transaction
      batch.size += 1
    }

  private def put(value: AnyRef, column: Column): Unit =
    if (value != null) {
      var values = batch.values(column.index)
      if (values == null) {
        values = new Array[AnyRef](MaxRows)
        batch.values(column.index) = values
      }
      values(batch.size) = value
    }

  /** Nearly all rows have these. */
  private def terms(column: Column): Array[AnyRef] = {
    if (columns.contains(column)) batch.values(column.index) = new Array[AnyRef](MaxRows)
    batch.values(column.index)
  }

  private def numbers(column: Column): Array[Long] = {
    if (columns.contains(column)) batch.numbers(column.index) = new Array[Long](MaxRows)
    batch.numbers(column.index)
  }
}

private[jelly] object BatchBuilder {
  final val MaxRows = 4096
}
