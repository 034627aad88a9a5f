package org.jellyspark.formats.rdfpatch

import java.io.InputStream

import org.jellyspark.core.formats._
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.text.TextInput

/** Reads the rows of one part of a file into column batches.
  *
  * The terms of most rows refer to the bytes of the input's buffer, so a batch also ends where the
  * buffer is replaced.
  *
  * @param in
  *   the bytes of the file; closed with this reader
  * @param text
  *   the same bytes, which `rows` reads
  */
private[rdfpatch] final class RdfPatchBatchReader(
    in: InputStream,
    text: TextInput,
    rows: RdfPatchReader,
    request: BatchRequest
) extends RowBatchReader(in, rows, canSkipRows = true, request) {
  private[this] val statements = new StatementColumns(request, columns.factory)
  private[this] val allowedOps = RowOp.values.map(request.filter.allows).toArray
  // The buffer to which the terms of the batch refer.
  private[this] var buffer: Array[Byte] = _
  private[this] var filteredRows = 0L
  private[this] var filteredBytes = 0L

  override def counts: ReadCounts =
    super.counts.copy(filteredRows = filteredRows, filteredBytes = filteredBytes)

  override protected def begin(batch: BatchBuilder): Unit = {
    buffer = text.buffer
    statements.begin(batch.result, batch.maxSize)
  }

  override protected def isComplete(batch: BatchBuilder): Boolean =
    batch.isFull || (batch.size > 0 && (text.buffer ne buffer))

  override protected def readInto(batch: BatchBuilder): Boolean = {
    val before = text.offset
    val row = rows.row
    if (rows.scan()) {
      if (allowedOps(row.op.ordinal) && statements.allows(text.buffer, rows.terms)) {
        statements.set(text.buffer, rows.terms)
        add(row, batch)
      } else countFiltered(before)
      true
    } else if (!rows.next()) false
    else {
      if (allowedOps(row.op.ordinal) && statements.allows(row)) columns.add(row, batch)
      else countFiltered(before)
      true
    }
  }

  private def add(row: Row, batch: BatchBuilder): Unit =
    batch.add(row.op, row.patch, row.transaction, row.seq, row.frame)

  private def countFiltered(before: Long): Unit = {
    filteredRows += 1
    filteredBytes += text.offset - before
  }
}
