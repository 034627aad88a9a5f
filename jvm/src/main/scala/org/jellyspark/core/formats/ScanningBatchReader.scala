package org.jellyspark.core.formats

import java.io.InputStream

import org.jellyspark.core.rows.{Row, RowOp}

/** Reads rows. Most of them are statements whose terms can be used as they are in the bytes of the
  * file, which [[scan]] finds without creating objects.
  */
private[jellyspark] trait ScanningReader extends RowReader {

  /** Moves to the next row, and sets the op and the ordinals of `row`, if it is a statement whose
    * terms can be used without parsing them. Reads no more bytes.
    *
    * @return
    *   whether it is one; if not, `next` moves to the row
    */
  def scan(): Boolean

  /** Where [[scan]] found the terms of the statement in [[buffer]]. */
  def terms: StatementRanges

  /** The bytes read so far. They do not change any more, except in [[scan]]: a row that is read
    * later may be in another array.
    */
  def buffer: Array[Byte]

  /** The offset in the file of the next byte. */
  def offset: Long
}

/** Reads the rows of one part of a file into column batches, with the filter of the request.
  *
  * The terms of most rows refer to the bytes of the reader's buffer, so a batch also ends where the
  * buffer is replaced.
  *
  * @param in
  *   the bytes that `rows` reads; closed with this reader
  */
private[formats] final class ScanningBatchReader(
    in: InputStream,
    rows: ScanningReader,
    canSkipRows: Boolean,
    request: BatchRequest
) extends RowBatchReader(in, rows, canSkipRows, request) {
  private[this] val statements = new StatementColumns(request, columns.factory)
  private[this] val allowedOps = RowOp.values.map(request.filter.allows).toArray
  // The buffer to which the terms of the batch refer.
  private[this] var buffer: Array[Byte] = _
  private[this] var filteredRows = 0L
  private[this] var filteredBytes = 0L

  override def counts: ReadCounts =
    super.counts.copy(filteredRows = filteredRows, filteredBytes = filteredBytes)

  override protected def begin(batch: BatchBuilder): Unit = {
    buffer = rows.buffer
    statements.begin(batch.result, batch.maxSize)
  }

  override protected def isComplete(batch: BatchBuilder): Boolean =
    batch.isFull || (batch.size > 0 && (rows.buffer ne buffer))

  override protected def readInto(batch: BatchBuilder): Boolean = {
    val before = rows.offset
    val row = rows.row
    if (rows.scan()) {
      val bytes = rows.buffer
      if (allowedOps(row.op.ordinal) && statements.allows(bytes, rows.terms)) {
        statements.set(bytes, rows.terms)
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
    // The first row of a part comes after the bytes that were passed over.
    filteredBytes += rows.offset - math.max(before, rows.passedBytes)
  }
}
