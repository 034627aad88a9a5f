package org.jellyspark.formats.ntriples

import java.io.InputStream

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.{MalformedRowException, RowLimit}
import org.jellyspark.core.formats._
import org.jellyspark.core.rows.{Column, ColumnBatch, Row}
import org.jellyspark.text.StatementScanner

/** Reads the lines that begin in one part of a file into column batches.
  *
  * The terms of a batch refer to the bytes of one block of the file, so a batch also ends where the
  * block ends.
  *
  * @param hasGraphs
  *   whether a statement may have a graph
  */
private[ntriples] final class LineBatchReader(
    file: InputFile,
    part: FilePart,
    hasGraphs: Boolean,
    strict: Boolean,
    rowLimit: RowLimit,
    request: BatchRequest
) extends BatchReader {
  import LineBatchReader.NoFrames

  private[this] val scanner = new StatementScanner(hasGraphs, strict)
  private[this] val parser = new LineParser(hasGraphs, strict, rowLimit)
  private[this] val parsed = new Row
  private[this] val columns = new StatementColumns(request, request.terms.newFactory(rowLimit))
  private[this] val hasFrames = request.columns.contains(Column.Frame)
  // Null before the first batch.
  private[this] var in: InputStream = _
  private[this] var input: LineInput = _
  private[this] var batch: ColumnBatch = _
  private[this] var capacity = ColumnBatch.MaxRows
  // An error to throw after the rows before it have been delivered.
  private[this] var error: MalformedInputException = _
  private[this] var rows = 0L
  private[this] var filteredRows = 0L
  private[this] var filteredBytes = 0L

  override def next(): ColumnBatch = {
    if (input == null) open()
    if (error == null) {
      batch = new ColumnBatch
      columns.begin(batch, capacity)
      if (hasFrames) batch.numbers(Column.Frame.index) = NoFrames
      try fill()
      catch { case e: MalformedRowException => error = input.located(e, rows) }
      if (batch.size > 0) {
        capacity = math.min(2 * capacity, ColumnBatch.MaxRows)
        return batch
      }
    }
    if (error != null) throw error
    null
  }

  override def malformedRow: ColumnBatch = {
    val malformed = new ColumnBatch
    malformed.size = 1
    malformed.malformedRow = input.rowText
    if (hasFrames) malformed.numbers(Column.Frame.index) = Array(frame)
    malformed
  }

  override def skip(): Boolean = {
    error = null
    rows += 1
    input.skipLine()
    capacity = ColumnBatch.FewRows
    true
  }

  override def counts: ReadCounts = ReadCounts(0, filteredRows, filteredBytes)

  override def close(): Unit = if (in != null) in.close()

  private def open(): Unit = {
    in = if (part.start > 0 && isMessages) InputStream.nullInputStream else openAt(part)
    input = new LineInput(in, file.name, part, rowLimit)
  }

  private def isMessages: Boolean = {
    val head = openAt(FilePart(0, 0))
    try MessageStream.isIn(head)
    finally head.close()
  }

  private def openAt(part: FilePart): InputStream = {
    val end = LineInput.endOf(part)
    file.open(
      LineInput.startOf(part),
      if (file.length == InputFile.UnknownLength) end else math.min(end, file.length)
    )
  }

  /** The ordinal of the current message, or [[Row.NoNumber]]. */
  private def frame: Long = if (input.isMessages) parser.messages else Row.NoNumber

  /** Sets the frame of the next row of the batch. */
  private def setFrame(): Unit = if (hasFrames && input.isMessages) {
    if (batch.numbers(Column.Frame.index) eq NoFrames)
      batch.numbers(Column.Frame.index) = new Array[Long](capacity)
    batch.numbers(Column.Frame.index)(batch.size) = parser.messages
  }

  /** Reads rows until the batch is full, or the block or the part has no more rows. */
  private def fill(): Unit = {
    var goesOn = true
    while (goesOn && batch.size < capacity && !input.isOver) {
      if (!readLine()) {
        val bytes = input.bytes
        val from = input.pos
        val found = input.find(mayRead = batch.size == 0)
        if (found != LineInput.Found) goesOn = false
        else if (((input.bytes eq bytes) && input.pos == from) || !readLine()) parseLine()
      }
    }
  }

  /** Reads the line at the input's position if its terms can be used without parsing.
    *
    * @return
    *   whether the line was read
    */
  private def readLine(): Boolean = {
    val bytes = input.bytes
    val from = input.pos
    val end = scanner.scan(bytes, from)
    if (end == StatementScanner.NeedsParser || end >= input.limit || end - from > rowLimit.bytes)
      false
    else {
      rows += 1
      scanner.makeCanonical(bytes)
      if (columns.allows(bytes, scanner)) {
        columns.set(bytes, scanner)
        setFrame()
        batch.size += 1
      } else countFiltered(end + 1 - from)
      input.endLine(end)
      true
    }
  }

  /** Parses the row that [[LineInput.find]] found. */
  private def parseLine(): Unit = {
    if (parser.parse(input.bytes, input.pos, input.lineEnd, parsed, input.isMessages)) addParsed()
    input.skipLine()
  }

  private def addParsed(): Unit = {
    rows += 1
    if (columns.allows(parsed)) {
      columns.set(parsed)
      setFrame()
      batch.size += 1
    } else countFiltered(input.lineEnd - input.pos)
  }

  private def countFiltered(bytes: Int): Unit = {
    filteredRows += 1
    filteredBytes += bytes
  }
}

private object LineBatchReader {

  /** The frames of all batches of files that are no streams of messages. Never changed. */
  private val NoFrames = Array.fill(ColumnBatch.MaxRows)(Row.NoNumber)
}
