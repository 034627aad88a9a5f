package org.jellyspark.core.formats

import org.jellyspark.core.rows.{Column, ColumnBatch, RowFilter}
import org.jellyspark.core.terms.TermFactory

/** Reads the rows of a file, or of a part of it, as columns, in bounded memory. */
trait BatchReader extends AutoCloseable {

  /** Returns the next rows, or null if there are no more. Rows before an error are returned first.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the input is malformed
    */
  def next(): ColumnBatch

  /** The malformed row, after `next` failed in a format that can skip rows: a batch that has only
    * its text and its ordinals.
    */
  def malformedRow: ColumnBatch = null

  /** Skips malformed input after an error. Continues with the next row in a format that can skip
    * rows, otherwise at the next restart point.
    *
    * @return
    *   whether this part of the file may have more rows
    * @throws org.jellyspark.MalformedInputException
    *   if the file contradicts its index; nothing can be read afterwards
    */
  def skip(): Boolean

  /** The reader's counts so far. Also available after an error. */
  def counts: ReadCounts = ReadCounts.Zero
}

/** Opens files with fixed options and a fixed request. */
trait BatchReaderFactory extends Serializable {

  /** Opens the rows that begin in a part of a file. The caller closes the reader.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the input is malformed
    */
  def open(file: InputFile, part: FilePart): BatchReader
}

/** Reads messages one after another. Each message is a complete file of the format. */
trait MessageReader {

  /** Returns all rows of a message. They remain valid when the next message is read.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the message is malformed; the reader can read other messages afterwards
    */
  def read(message: Array[Byte]): ColumnBatch
}

/** The data that a query needs from the rows of a file.
  *
  * @param columns
  *   the columns to fill
  * @param filter
  *   the rows to return
  * @param terms
  *   creates the values of terms and strings
  */
final case class BatchRequest(
    columns: Set[Column],
    filter: RowFilter,
    terms: TermFactory.Provider
)

/** The counts of a reader, for metrics.
  *
  * @param ranges
  *   the number of restart ranges opened; a file without restart points is one range
  * @param filteredRows
  *   the number of rows that did not pass the filter
  * @param filteredBytes
  *   the number of bytes of these rows
  * @param passedBytes
  *   the number of bytes before its part that the reader has skipped
  * @param skippedRanges
  *   the number of restart ranges that cannot have rows that pass the filter
  * @param skippedBytes
  *   the number of bytes of these ranges
  */
final case class ReadCounts(
    ranges: Long,
    filteredRows: Long,
    filteredBytes: Long,
    passedBytes: Long = 0,
    skippedRanges: Long = 0,
    skippedBytes: Long = 0
) {
  def -(earlier: ReadCounts): ReadCounts = ReadCounts(
    ranges - earlier.ranges,
    filteredRows - earlier.filteredRows,
    filteredBytes - earlier.filteredBytes,
    passedBytes - earlier.passedBytes,
    skippedRanges - earlier.skippedRanges,
    skippedBytes - earlier.skippedBytes
  )
}

object ReadCounts {
  val Zero: ReadCounts = ReadCounts(0, 0, 0)
}
