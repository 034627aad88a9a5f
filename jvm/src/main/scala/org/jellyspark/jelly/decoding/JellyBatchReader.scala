package org.jellyspark.jelly.decoding

import java.io.InputStream

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats._
import org.jellyspark.core.rows.{ColumnBatch, RowFilter}
import org.jellyspark.core.terms.TermValues
import org.jellyspark.jelly.frames.{FrameReader, RestartPoint, SelectedRanges}

private[decoding] final class JellyBatchReaderFactory(
    decoders: DecoderFactory,
    request: BatchRequest
) extends BatchReaderFactory {
  override def open(file: InputFile, part: FilePart): BatchReader = {
    val selected = SelectedRanges(file, part, request)
    if (selected.ranges.isEmpty && part.start <= 0 && part.end > 0) checkFormat(file)
    new JellyBatchReader(file, selected, decoders, request)
  }

  /** Reads the first row of a file of which no range is read: it must not be of another format. */
  private def checkFormat(file: InputFile): Unit = {
    val in = file.open(0, math.min(JellyBatchReader.MaxOptions.toLong, file.length))
    try {
      val unfiltered = request.copy(filter = RowFilter.All)
      val decoder = decoders.newDecoder(unfiltered, isRestart = false)
      val frames = new FrameReader(in, file.name, 0, decoder.options.rowLimit)
      new RangeReader(frames, decoder).next(): Unit
    } finally in.close()
  }
}

/** Reads restart ranges of a Jelly file as columns: those that follow each other from a single
  * stream.
  */
private[jelly] final class JellyBatchReader(
    file: InputFile,
    selected: SelectedRanges,
    decoders: DecoderFactory,
    request: BatchRequest
) extends BatchReader {
  import JellyBatchReader._

  private[this] val columns = new RequestedColumns(request.columns)
  private[this] var left = selected.ranges
  // Null before the first range.
  private[this] var in: InputStream = _
  private[this] var frames: FrameReader = _
  // Null between ranges.
  private[this] var rows: RangeReader = _
  private[this] var rangeStart: RestartPoint = _
  private[this] var rangeEnd: RestartPoint = _
  // Whether the range is read only to verify the start of the one after it.
  private[this] var isCheck = false
  // An error to throw after the rows before it have been delivered.
  private[this] var error: MalformedInputException = _
  private[this] var rangeCount = 0L
  private[this] var filteredRows = 0L
  private[this] var filteredBytes = 0L

  override def next(): ColumnBatch = {
    if (error != null) throw error
    var batch: ColumnBatch = null
    while (batch == null && (rows != null || startRange())) {
      batch = fill()
      if (batch.size == 0 || isCheck) {
        if (error != null) throw error
        batch = null
      }
    }
    batch
  }

  override def skip(): Boolean = {
    error = null
    val goesOn = rangeEnd != null
    if (goesOn) rows.skipToEnd()
    rows = null
    goesOn
  }

  override def counts: ReadCounts = ReadCounts(
    rangeCount,
    filteredRows,
    filteredBytes,
    skippedRanges = selected.skipped,
    skippedBytes = selected.skippedBytes
  )

  override def close(): Unit = {
    rows = null
    if (in != null) in.close()
    in = null
  }

  private def startRange(): Boolean = left.nonEmpty && {
    val (start, end) = left.head
    isCheck = rangeStart != null && (end eq rangeStart)
    val wanted = if (isCheck) Verification else request
    val decoder = decoders.newDecoder(wanted, isRestart = start.offset > 0)
    if (rangeEnd ne start) {
      close()
      in = file.open(start.offset, endOfRead)
      frames = new FrameReader(in, file.name, start.offset, decoder.options.rowLimit)
    }
    left = left.tail
    rangeStart = start
    rangeEnd = end
    if (!isCheck) rangeCount += 1
    rows = new RangeReader(frames, decoder, start, end)
    true
  }

  /** The byte offset at which the stream for the next range ends: that of the last range that
    * follows it without a gap. It includes the options row after this range, which is needed to
    * verify its end.
    */
  private def endOfRead: Long = {
    val gap =
      left.iterator.zip(left.iterator.drop(1)).find { case ((_, end), (start, _)) => end ne start }
    val (_, end) = gap.fold(left.last)(_._1)
    if (end != null) math.min(end.offset + MaxOptions, file.length)
    else if (file.length == InputFile.UnknownLength) Long.MaxValue
    else file.length
  }

  /** Has the range before the current one read next, unless a task reads it anyway. */
  private def verifyStart(): Unit =
    selected.before.get(rangeStart).foreach(before => left = (before, rangeStart) +: left)

  /** Reads rows of the current range until its end or an error. */
  private def fill(): ColumnBatch = {
    val range = rows
    val batch = range.newBatch(if (isCheck) NoColumns else columns, ColumnBatch.MaxRows)
    val (rowsBefore, filteredBefore) = (range.numbering.rows, range.filteredBytes)
    try {
      if (!range.fill(batch)) {
        rows = null
        if (range.usesStart) verifyStart()
      }
    } catch { case e: MalformedInputException => error = e }
    filteredRows += range.numbering.rows - rowsBefore - batch.size
    filteredBytes += range.filteredBytes - filteredBefore
    batch.result
  }
}

private[jelly] object JellyBatchReader {
  private val Verification = BatchRequest(Set.empty, RowFilter.All, TermValues)
  private val NoColumns = new RequestedColumns(Set.empty)

  /** The number of bytes within which most options rows end, including the frame. Longer ones take
    * another request.
    */
  private[decoding] final val MaxOptions = 1 << 12
}
