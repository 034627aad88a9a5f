package org.jellyspark.core.formats

/** Reads files as columns, with a codec that reads rows.
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
    val in = file.open(0, RowBatchReaderFactory.endOfRows(part))
    try {
      rows.open(in, file.name, part) match {
        case reader: ScanningReader => new ScanningBatchReader(in, reader, canSkipRows, request)
        case reader                 => new RowBatchReader(in, reader, canSkipRows, request)
      }
    } catch {
      case e: Throwable =>
        in.close()
        throw e
    }
  }
}

private object RowBatchReaderFactory {

  /** Longer than most rows, and than what readers read at once, in bytes. */
  private final val LongRow = 1 << 17

  /** The offset at which the last row that begins in a part probably ends. */
  def endOfRows(part: FilePart): Long =
    if (part.end > Long.MaxValue - LongRow) part.end else part.end + LongRow
}
