package org.jellyspark.formats.ntriples

import java.io.InputStream

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.{MalformedRowException, RowLimit}
import org.jellyspark.core.formats.{BatchReader, BatchRequest, FilePart, InputFile, ReadCounts}
import org.jellyspark.core.rows.{Column, ColumnBatch, Row}

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

  private[this] val scanner = new LineScanner(hasGraphs, strict)
  private[this] val parser = new LineParser(hasGraphs, strict, rowLimit)
  private[this] val parsed = new Row
  private[this] val factory = request.terms.newFactory(rowLimit)
  private[this] val subjects = new LineColumn(Column.Subject, request, factory, reusesLast = true)
  private[this] val predicates = new LineColumn(Column.Predicate, request, factory, isCached = true)
  private[this] val objects = new LineColumn(Column.Object, request, factory)
  private[this] val graphs = new LineColumn(Column.Graph, request, factory, reusesLast = true)
  private[this] val columns = Array(subjects, predicates, objects, graphs)
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
      columns.foreach(_.begin(batch, capacity))
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
    if (end == LineScanner.NeedsParser || end >= input.limit || end - from > rowLimit.bytes) false
    else {
      rows += 1
      scanner.makeCanonical(bytes)
      if (isAllowed(bytes, from)) {
        val row = batch.size
        subjects.set(row, bytes, from, scanner.subjectEnd)
        predicates.set(row, bytes, scanner.predicateFrom, scanner.predicateEnd)
        objects.set(row, bytes, scanner.objectFrom, scanner.objectEnd)
        if (scanner.hasGraph) {
          graphs.provide(batch, capacity)
          graphs.set(row, bytes, scanner.graphFrom, scanner.graphEnd)
        }
        setFrame()
        batch.size += 1
      } else countFiltered(end + 1 - from)
      input.endLine(end)
      true
    }
  }

  private def isAllowed(bytes: Array[Byte], from: Int): Boolean =
    subjects.allows(bytes, from, scanner.subjectEnd) &&
      predicates.allows(bytes, scanner.predicateFrom, scanner.predicateEnd) &&
      objects.allows(bytes, scanner.objectFrom, scanner.objectEnd) &&
      (if (scanner.hasGraph) graphs.allows(bytes, scanner.graphFrom, scanner.graphEnd)
       else graphs.allowsNull)

  /** Parses the row that [[LineInput.find]] found. */
  private def parseLine(): Unit = {
    if (parser.parse(input.bytes, input.pos, input.lineEnd, parsed, input.isMessages)) addParsed()
    input.skipLine()
  }

  private def addParsed(): Unit = {
    rows += 1
    val graph = parsed.graphCell.term
    val isAllowed = subjects.allows(parsed.subject) && predicates.allows(parsed.predicate) &&
      objects.allows(parsed.obj) && graphs.allows(graph)
    if (isAllowed) {
      val row = batch.size
      subjects.set(row, parsed.subject)
      predicates.set(row, parsed.predicate)
      objects.set(row, parsed.obj)
      if (graph ne null) {
        graphs.provide(batch, capacity)
        graphs.set(row, graph)
      }
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
