package org.jellyspark.jelly.decoding

import java.io.InputStream

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.{
  BatchReader,
  BatchReaderFactory,
  BatchRequest,
  FilePart,
  InputFile
}
import org.jellyspark.core.rows.{Column, ColumnBatch}
import org.jellyspark.jelly.frames.{RestartIndex, RestartPoint}

/** Opens Jelly files, whose rows a format's own decoder decodes. */
private[jellyspark] abstract class JellyBatchReaderFactory(
    request: BatchRequest
) extends BatchReaderFactory {

  /** A new decoder of the format.
    *
    * @param isRestart
    *   whether reading begins at a restart point
    */
  def newDecoder(isRestart: Boolean): FormatDecoder

  /** Whether the rules on transactions are errors. */
  def strictTransactions: Boolean

  final override def open(file: InputFile, part: FilePart): BatchReader =
    new JellyBatchReader(file, JellyBatchReader.ranges(file, part), this, request.columns)
}

/** Reads restart ranges of a Jelly file as columns.
  *
  * @param ranges
  *   each with its start and its end; null for the end of the file
  */
private[jelly] final class JellyBatchReader(
    file: InputFile,
    ranges: Iterator[(RestartPoint, RestartPoint)],
    factory: JellyBatchReaderFactory,
    columns: Set[Column]
) extends BatchReader {

  private[this] var in: InputStream = _
  // Null between ranges.
  private[this] var rows: RangeReader = _
  private[this] var rangeEnd: RestartPoint = _
  // Raised once the rows before it are delivered.
  private[this] var error: MalformedInputException = _

  override def next(): ColumnBatch = {
    if (error != null) throw error
    var batch: ColumnBatch = null
    while (batch == null && (rows != null || openRange())) {
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
    close()
    goesOn
  }

  override def close(): Unit = {
    rows = null
    if (in != null) in.close()
    in = null
  }

  private def openRange(): Boolean = ranges.hasNext && {
    val (start, end) = ranges.next()
    rangeEnd = end
    in = file.open(start.offset)
    val decoder = factory.newDecoder(isRestart = start.offset > 0)
    rows = new RangeReader(in, file.name, decoder, factory.strictTransactions, start, end)
    true
  }

  /** Reads rows of the current range, up to its end or an error. */
  private def fill(): ColumnBatch = {
    val batch = rows.newBatch(columns)
    try {
      while (rows != null && !batch.isFull) {
        rows.addFast(batch)
        if (!batch.isFull) {
          if (!rows.advance()) close()
          else if (rows.op != null) {
            batch.add(rows.op, rows.row, rows.numbering, rows.numbering.seq, rows.frame)
          }
        }
      }
    } catch { case e: MalformedInputException => error = e }
    batch.result
  }
}

private[jelly] object JellyBatchReader {

  /** The restart ranges that begin in a part of a file. */
  def ranges(file: InputFile, part: FilePart): Iterator[(RestartPoint, RestartPoint)] = {
    val isWhole = file.length == InputFile.UnknownLength
    val points = RestartPoint.Start +: (if (isWhole) Nil else RestartIndex.read(file))
    points.iterator
      .zipAll(points.iterator.drop(1), null, null)
      .filter { case (start, _) => start.offset >= part.start && start.offset < part.end }
  }
}
