package org.jellyspark.jelly.decoding

import java.io.InputStream

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats._
import org.jellyspark.core.rows.ColumnBatch
import org.jellyspark.jelly.frames.{FrameReader, RestartIndex, RestartPoint}

private[decoding] final class JellyBatchReaderFactory(
    decoders: DecoderFactory,
    request: BatchRequest
) extends BatchReaderFactory {
  override def open(file: InputFile, part: FilePart): BatchReader =
    new JellyBatchReader(file, JellyBatchReader.ranges(file, part), decoders, request)
}

/** Reads consecutive restart ranges of a Jelly file as columns, from a single stream.
  *
  * @param ranges
  *   the start and the end of each range; the end is null for the end of the file
  */
private[jelly] final class JellyBatchReader(
    file: InputFile,
    ranges: Seq[(RestartPoint, RestartPoint)],
    decoders: DecoderFactory,
    request: BatchRequest
) extends BatchReader {
  import JellyBatchReader._

  private[this] val columns = new RequestedColumns(request.columns)
  private[this] val left = ranges.iterator
  // Null before the first range.
  private[this] var in: InputStream = _
  private[this] var frames: FrameReader = _
  // Null between ranges.
  private[this] var rows: RangeReader = _
  private[this] var rangeEnd: RestartPoint = _
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
      if (batch.size == 0) {
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

  override def counts: ReadCounts = ReadCounts(rangeCount, filteredRows, filteredBytes)

  override def close(): Unit = {
    rows = null
    if (in != null) in.close()
    in = null
  }

  private def startRange(): Boolean = left.hasNext && {
    val (start, end) = left.next()
    val decoder = decoders.newDecoder(request, isRestart = start.offset > 0)
    if (in == null) {
      in = file.open(start.offset, endOfRead)
      frames = new FrameReader(in, file.name, start.offset, decoder.options.rowLimit)
    }
    rangeEnd = end
    rangeCount += 1
    rows = new RangeReader(frames, decoder, start, end)
    true
  }

  /** The byte offset at which reading ends. It includes the options row after the last range, which
    * is needed to verify the end of that range.
    */
  private def endOfRead: Long = {
    val (_, end) = ranges.last
    if (end != null) math.min(end.offset + MaxOptions, file.length)
    else if (file.length == InputFile.UnknownLength) Long.MaxValue
    else file.length
  }

  /** Reads rows of the current range until its end or an error. */
  private def fill(): ColumnBatch = {
    val range = rows
    val batch = range.newBatch(columns, ColumnBatch.MaxRows)
    val (rowsBefore, filteredBefore) = (range.numbering.rows, range.filteredBytes)
    try { if (!range.fill(batch)) rows = null }
    catch { case e: MalformedInputException => error = e }
    filteredRows += range.numbering.rows - rowsBefore - batch.size
    filteredBytes += range.filteredBytes - filteredBefore
    batch.result
  }
}

private[jelly] object JellyBatchReader {

  /** The number of bytes within which most options rows end, including the frame. Longer ones take
    * another request.
    */
  private final val MaxOptions = 1 << 12

  /** The restart ranges that begin in a part of a file. */
  def ranges(file: InputFile, part: FilePart): Seq[(RestartPoint, RestartPoint)] = {
    val isWhole = file.length == InputFile.UnknownLength
    val points = RestartPoint.Start +: (if (isWhole) Nil else RestartIndex.read(file))
    points
      .zipAll(points.drop(1), null, null)
      .filter { case (start, _) => start.offset >= part.start && start.offset < part.end }
  }
}
