package org.jellyspark.jelly.decoding

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.formats.RequestedColumns
import org.jellyspark.core.rows.{RowNumbering, RowOp}
import org.jellyspark.jelly.frames.{FrameReader, RestartPoint}

/** Reads and numbers the rows of a restart range, which is the rows between two restart points of a
  * Jelly file, or all rows of a stream.
  *
  * @param frames
  *   the frames from `start` on, or from the end of the previous range
  * @param format
  *   a new decoder of the file's format
  * @param end
  *   the end of the range; null for the end of the stream
  */
private[jellyspark] final class RangeReader(
    frames: FrameReader,
    format: FormatDecoder,
    start: RestartPoint = RestartPoint.Start,
    end: RestartPoint = null
) {
  private[this] val decoder = new JellyDecoder(format)

  frames.startRange(if (end == null) Long.MaxValue else end.offset)
  frames.beforeMove = () => decoder.keepTerms()

  /** The content of the last row read. */
  def row: DecodedRow = format.row

  /** The ordinals of the last row read. */
  val numbering = new RowNumbering(format.options.strict && format.hasTransactions)
  numbering.startAt(
    if (format.namespacesAreRows) start.rows else start.rows - start.namespaces,
    start.patches,
    start.transactions,
    start.inTransaction
  )

  /** The ordinal of the frame of the last row read. */
  var frame: Long = start.frames

  /** The number of bytes of the rows that did not pass the filter. */
  private[jelly] var filteredBytes = 0L

  /** Whether a row that passed the filter came before the first row that begins or ends a
    * transaction or a patch, or was this row. Its transaction is the one that the index says is
    * open at the start.
    */
  private[jelly] var usesStart = false

  // The op of the last row read; null if readers do not return the row, or it did not pass the
  // filter.
  private[this] var op: RowOp = _

  /** Reads the next row that passes the filter.
    *
    * @return
    *   the op of the row; null at the end of the range
    * @throws org.jellyspark.MalformedInputException
    *   if the input is malformed
    */
  def next(): RowOp = {
    while (advance() && op == null) {}
    op
  }

  /** Reads one row or the end of a frame, and sets `op`.
    *
    * @return
    *   false at the end of the range
    */
  private def advance(): Boolean = {
    val event = frames.next()
    op = null
    if (event == FrameReader.Row) op = decodeRow()
    else if (event == FrameReader.FrameEnd) op = orMalformedFrame(endFrame())
    else if (end == null) orMalformedFrame(checkStreamEnd())
    else checkRangeEnd()
    if (!row.isWanted && op != null) {
      op = null
      if (event == FrameReader.Row) filteredBytes += frames.rowLength
    }
    event != FrameReader.StreamEnd
  }

  /** Creates a batch for the following rows, with room for `rows`. */
  private[jelly] def newBatch(columns: RequestedColumns, rows: Int): JellyBatch =
    decoder.newBatch(columns, rows)

  /** Adds the following rows that pass the filter to a batch, until it is full.
    *
    * @return
    *   whether there may be more rows
    * @throws org.jellyspark.MalformedInputException
    *   if the input is malformed; the batch then has the rows before the error
    */
  private[jelly] def fill(batch: JellyBatch): Boolean = {
    var goesOn = true
    while (goesOn && !batch.isFull) {
      val isAtStart = numbering.isAtStart
      addFast(batch)
      if (!batch.isFull) {
        goesOn = advance()
        if (op != null) batch.add(op, row, numbering, numbering.seq, frame)
      }
      if (isAtStart && batch.size > 0) usesStart = true
    }
    goesOn
  }

  /** Adds rows to a batch, up to the first one that [[FastRows]] does not read. */
  private def addFast(batch: JellyBatch): Unit = {
    val fast = decoder.fastRows
    if (fast != null) {
      val (from, to) = (frames.nextRow, frames.rowsEnd)
      fast.read(frames.rowBuffer, from, to, numbering, frame, batch)
      frames.pass(fast.end, fast.count)
      filteredBytes += fast.filteredBytes
    }
  }

  /** Begins another stream, all of which this range covers. */
  private[jelly] def restart(): Unit = {
    frames.restart()
    decoder.restart()
    numbering.startAt(rows = 0, patches = 0, transactions = 0, inTransaction = false)
    frame = 0
  }

  /** Skips the remaining frames after an error.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if they do not end at the next restart point
    */
  def skipToEnd(): Unit = frames.skipToEnd()

  private def decodeRow(): RowOp =
    try {
      val decoded = decoder.decode(frames.rowBuffer, frames.rowStart, frames.rowLength)
      if (decoded != null) numbering.number(decoded)
      decoded
    } catch { case e: MalformedRowException => frames.malformedRow(e.expected, e.found) }

  private def endFrame(): RowOp = {
    val ended = format.endFrame()
    if (ended != null) numbering.number(ended)
    frame += 1
    ended
  }

  private def checkStreamEnd(): Unit = {
    numbering.checkEnd()
    format.checkEnd()
  }

  /** Verifies the index at the end of the range: its counts must be those of the rows that were
    * read, and the next range must begin with the same options.
    */
  private def checkRangeEnd(): Unit = {
    orMalformedFrame(format.checkRestart())
    val namespaces = start.namespaces + format.namespaces
    val found = RestartPoint(
      end.offset,
      frame,
      if (format.namespacesAreRows) numbering.rows else numbering.rows + namespaces,
      namespaces,
      numbering.patches,
      numbering.transactions,
      numbering.inTransaction
    )
    if (found != end) {
      val expected = s"the counts in the index: ${end.counts}"
      throw MalformedInputException.inFrame(frames.file, end.offset, -1, expected, found.counts)
    }
    frames.passEnd()
    if (frames.next() == FrameReader.Row) {
      try decoder.checkOptions(frames.rowBuffer, frames.rowStart, frames.rowLength)
      catch { case e: MalformedRowException => frames.malformedRow(e.expected, e.found) }
    } else frames.malformed("an options row first", "no row")
  }

  private def orMalformedFrame[A](check: => A): A =
    try check
    catch { case e: MalformedRowException => frames.malformed(e.expected, e.found) }
}
