package org.jellyspark.core.formats

import java.io.InputStream
import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.rows.{Column, ColumnArrays, ColumnBatch, Row}

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
    columns.begin(capacity)
    try {
      while (!exhausted && !columns.isFull) {
        if (reader.next()) columns.add(reader.row)
        else exhausted = true
      }
    } catch { case e: MalformedInputException => error = e }
    columns.batch
  }

  override def malformedRow: ColumnBatch = {
    columns.begin(1)
    columns.addMalformed(reader.row, reader.malformedRow)
    columns.batch
  }

  override def skip(): Boolean = {
    error = null
    capacity = ColumnBatch.FewRows
    exhausted ||= !canSkipRows
    !exhausted
  }

  override def counts: ReadCounts = ReadCounts.Zero.copy(passedBytes = reader.passedBytes)

  override def close(): Unit = in.close()
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
    columns.begin(FirstRoom)
    while (reader.next()) {
      if (columns.isFull) columns.extend()
      columns.add(reader.row)
    }
    columns.batch
  }
}

private object RowMessageReader {
  private final val FirstRoom = 16
}

/** Copies rows into batches of the requested columns. */
private final class RowColumns(request: BatchRequest) {
  private[this] val factory = request.terms.newFactory(RowLimit(Int.MaxValue))
  private[this] val columns = new ColumnArrays(request.columns.toSeq)
  private[this] var capacity = 0
  private[this] var mayBeMade = 0L

  /** The batch since the last call of [[begin]]. */
  var batch: ColumnBatch = _

  /** Begins a batch with room for `rows`. */
  def begin(rows: Int): Unit = {
    batch = new ColumnBatch
    capacity = rows
    mayBeMade = factory.made + ColumnBatch.MaxBytes
    if (columns.hasOp) batch.ops = new Array[Byte](rows)
    columns.numbers.foreach(column => batch.numbers(column.index) = new Array[Long](rows))
  }

  /** Whether the batch has no more room, or its terms take up too much memory. */
  def isFull: Boolean = batch.size == capacity || factory.made > mayBeMade

  /** Makes room for more rows in a full batch. */
  def extend(): Unit = {
    mayBeMade = factory.made + ColumnBatch.MaxBytes
    if (batch.size == capacity) {
      capacity = ColumnBatch.longer(capacity)
      batch.resize(capacity)
    }
  }

  /** Adds a row. */
  def add(row: Row): Unit = {
    if (columns.hasOp) batch.ops(batch.size) = row.op.ordinal.toByte
    putNumbers(row)
    putTerms(row)
    putTexts(row)
    batch.size += 1
  }

  /** Adds a malformed row, which has only ordinals and a text. */
  def addMalformed(row: Row, text: String): Unit = {
    batch.ops = null
    batch.malformedRow = text
    putNumbers(row)
    batch.size += 1
  }

  private def putNumbers(row: Row): Unit = {
    var i = 0
    while (i < columns.numbers.length) {
      val column = columns.numbers(i)
      batch.numbers(column.index)(batch.size) = column.get(row)
      i += 1
    }
  }

  private def putTerms(row: Row): Unit = {
    var i = 0
    while (i < columns.terms.length) {
      val column = columns.terms(i)
      val term = column.get(row)
      if (term ne null) put(column, factory.of(term))
      i += 1
    }
  }

  private def putTexts(row: Row): Unit = {
    var i = 0
    while (i < columns.texts.length) {
      val column = columns.texts(i)
      val text = column.get(row)
      if (text != null) {
        val bytes = text.getBytes(UTF_8)
        put(column, factory.text(bytes, 0, bytes.length))
      }
      i += 1
    }
  }

  /** Sets a value. The column is created with its first value, because many have none. */
  private def put(column: Column, value: AnyRef): Unit = {
    if (batch.values(column.index) == null) {
      batch.values(column.index) = new Array[AnyRef](capacity)
    }
    batch.values(column.index)(batch.size) = value
  }
}
