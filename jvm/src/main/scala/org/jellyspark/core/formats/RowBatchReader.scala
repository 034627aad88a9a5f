package org.jellyspark.core.formats

import java.io.InputStream
import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.rows.{ColumnArrays, ColumnBatch, Row, RowOp}

/** Reads files as columns, with a codec that reads rows. It ignores the filter of the request,
  * because Spark applies the filter again.
  *
  * @param canSkipRows
  *   whether the codec can continue after a malformed row
  */
private[formats] final class RowBatchReaderFactory(
    rows: ReaderFactory,
    canSkipRows: Boolean,
    request: BatchRequest
) extends BatchReaderFactory {
  override def open(file: InputFile, part: FilePart): BatchReader = {
    val in = file.open(0, RowBatchReader.endOfRows(part))
    try new RowBatchReader(in, rows.open(in, file.name, part), canSkipRows, request)
    catch {
      case e: Throwable =>
        in.close()
        throw e
    }
  }
}

private final class RowBatchReader(
    in: InputStream,
    reader: RowReader,
    canSkipRows: Boolean,
    request: BatchRequest
) extends BatchReader {
  private[this] val columns = new RowColumns(request)
  private[this] var capacity = ColumnBatch.MaxRows
  // An error to throw after the rows before it have been delivered.
  private[this] var error: MalformedInputException = _
  private[this] var exhausted = false

  override def next(): ColumnBatch = {
    if (error != null) throw error
    val batch = fill()
    if (batch.size > 0) {
      capacity = math.min(2 * capacity, ColumnBatch.MaxRows)
      batch
    } else if (error != null) throw error
    else null
  }

  private def fill(): ColumnBatch = {
    val batch = columns.newBatch(capacity)
    try {
      while (!exhausted && !batch.isFull) {
        if (reader.next()) columns.add(reader.row, batch)
        else exhausted = true
      }
    } catch { case e: MalformedInputException => error = e }
    batch.result
  }

  override def malformedRow: ColumnBatch = {
    val row = reader.row
    val batch = columns.newBatch(1)
    // Any op: the batch has none.
    batch.add(RowOp.End, row.patch, row.transaction, row.seq, row.frame)
    batch.result.ops = null
    batch.result.malformedRow = reader.malformedRow
    batch.result
  }

  override def skip(): Boolean = {
    error = null
    capacity = ColumnBatch.FewRows
    exhausted ||= !canSkipRows
    !exhausted
  }

  override def counts: ReadCounts = ReadCounts.Zero.copy(passedBytes = reader.passedBytes)

  override def close(): Unit =
    try reader.close()
    finally in.close()
}

private object RowBatchReader {

  /** Longer than most rows, in bytes. */
  private final val LongRow = 1 << 16

  /** The offset at which the last row that begins in a part probably ends. */
  def endOfRows(part: FilePart): Long =
    if (part.end > Long.MaxValue - LongRow) part.end else part.end + LongRow
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

/** Copies rows into batches of the requested columns. */
private final class RowColumns(request: BatchRequest) {
  private[this] val factory = request.terms.newFactory(RowLimit(Int.MaxValue))
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
