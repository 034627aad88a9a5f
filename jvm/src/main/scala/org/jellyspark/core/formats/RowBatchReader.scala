package org.jellyspark.core.formats

import java.io.InputStream

import scala.annotation.unused

import org.jellyspark.MalformedInputException
import org.jellyspark.core.rows.{ColumnBatch, RowOp}

/** Copies the rows of a reader into batches. A subclass may find some of them in another way. This
  * class ignores the filter of the request, because Spark applies the filter again.
  *
  * @param in
  *   the bytes that `reader` reads; closed with this reader
  */
private[formats] class RowBatchReader(
    in: InputStream,
    reader: RowReader,
    canSkipRows: Boolean,
    request: BatchRequest
) extends BatchReader {

  /** Copies rows into batches. */
  protected final val columns = new RowColumns(request)
  private[this] var capacity = ColumnBatch.MaxRows
  // An error to throw after the rows before it have been delivered.
  private[this] var error: MalformedInputException = _
  private[this] var exhausted = false

  final override def next(): ColumnBatch = {
    if (error != null) throw error
    val batch = fill()
    if (batch.size > 0) {
      // A subclass may end batches before they are full.
      capacity = math.min(math.max(2 * batch.size, ColumnBatch.FewRows), ColumnBatch.MaxRows)
      batch
    } else if (error != null) throw error
    else null
  }

  private def fill(): ColumnBatch = {
    val batch = columns.newBatch(capacity)
    begin(batch)
    try while (!exhausted && !isComplete(batch)) exhausted = !readInto(batch)
    catch { case e: MalformedInputException => error = e }
    batch.result
  }

  /** Begins a batch. */
  protected def begin(@unused batch: BatchBuilder): Unit = ()

  /** Whether no more rows should be added to a batch. */
  protected def isComplete(batch: BatchBuilder): Boolean = batch.isFull

  /** Reads the next row, and adds it to the batch.
    *
    * @return
    *   whether there was one
    */
  protected def readInto(batch: BatchBuilder): Boolean = {
    val isRow = reader.next()
    if (isRow) columns.add(reader.row, batch)
    isRow
  }

  final override def malformedRow: ColumnBatch = {
    val row = reader.row
    val batch = columns.newBatch(1)
    // Any op: the batch has none.
    batch.add(RowOp.End, row.patch, row.transaction, row.seq, row.frame)
    batch.result.ops = null
    batch.result.malformedRow = reader.malformedRow
    batch.result
  }

  final override def skip(): Boolean = {
    error = null
    capacity = ColumnBatch.FewRows
    exhausted ||= !canSkipRows
    !exhausted
  }

  override def counts: ReadCounts = ReadCounts.Zero.copy(passedBytes = reader.passedBytes)

  final override def close(): Unit =
    try reader.close()
    finally in.close()
}

/** Reads messages as columns, with a codec that reads rows. */
private[formats] final class RowMessageReader(
    rows: ReaderFactory,
    name: String,
    request: BatchRequest
) extends MessageReader {
  import RowMessageReader.FirstRoom

  private[this] val columns = new RowColumns(request)

  override def read(message: Array[Byte]): ColumnBatch = {
    val reader = rows.openMessage(message, name)
    val batch = columns.newBatch(FirstRoom)
    while (reader.next()) {
      if (batch.isFull) batch.extend()
      columns.add(reader.row, batch)
    }
    batch.result
  }
}

private object RowMessageReader {
  private final val FirstRoom = 16
}
