package org.jellyspark.core.formats

import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.rows.{ColumnArrays, Row}
import org.jellyspark.core.terms.TermFactory

/** Copies rows into batches of the requested columns. */
private[jellyspark] final class RowColumns(request: BatchRequest) {

  /** Creates the terms. */
  val factory: TermFactory = request.terms.newFactory(RowLimit(Int.MaxValue))
  private[this] val requested = new RequestedColumns(request.columns)
  private[this] val columns = new ColumnArrays(request.columns.toSeq)

  /** Begins a batch with room for `rows`. */
  def newBatch(rows: Int): BatchBuilder = new BatchBuilder(requested, factory, rows)

  /** Adds a row to a batch. */
  def add(row: Row, batch: BatchBuilder): Unit = {
    putTerms(row, batch)
    putTexts(row, batch)
    batch.add(row.op, row.patch, row.transaction, row.seq, row.frame)
  }

  private def putTerms(row: Row, batch: BatchBuilder): Unit = {
    var i = 0
    while (i < columns.terms.length) {
      val column = columns.terms(i)
      val term = column.get(row)
      if (term ne null) batch.put(factory.of(term), column)
      i += 1
    }
  }

  private def putTexts(row: Row, batch: BatchBuilder): Unit = {
    var i = 0
    while (i < columns.texts.length) {
      val column = columns.texts(i)
      val text = column.get(row)
      if (text != null) {
        val bytes = text.getBytes(UTF_8)
        batch.put(factory.text(bytes, 0, bytes.length), column)
      }
      i += 1
    }
  }
}
