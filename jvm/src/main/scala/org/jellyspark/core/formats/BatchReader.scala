package org.jellyspark.core.formats

import org.jellyspark.core.rows.{Column, ColumnBatch, RowFilter}
import org.jellyspark.core.terms.TermFactory

/** Reads the rows of a file, or of a part of it, as columns. Uses bounded memory. */
trait BatchReader extends AutoCloseable {

  /** The next rows; null if there are no more. Rows before an error are returned first.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the input breaks the format
    */
  def next(): ColumnBatch

  /** The text of the malformed row, after `next` raised an error in a format that can skip rows. */
  def malformedRow: String = null

  /** Skips what is malformed: after an error, goes on with the next row in a format that can skip
    * rows, else at the next restart point.
    *
    * @return
    *   whether there may be more rows in this part of the file
    * @throws org.jellyspark.MalformedInputException
    *   if the file is not as its index says; nothing can be read after that
    */
  def skip(): Boolean

  /** What the reader has done so far. It can be asked for after an error, too. */
  def counts: ReadCounts = ReadCounts.Zero
}

/** Opens files, with the options and the request that it was made with. */
trait BatchReaderFactory extends Serializable {

  /** Opens the rows that begin in a part of a file. The caller closes the reader.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the input breaks the format
    */
  def open(file: InputFile, part: FilePart): BatchReader
}

/** Opens readers of messages, with the options that it was made with. */
trait MessageReaderFactory {

  /** Opens a reader.
    *
    * @param name
    *   in place of a file's name in errors
    */
  def openMessages(name: String): MessageReader
}

/** Reads messages, one after the other. Each is a whole file of the format. */
trait MessageReader {

  /** Returns all rows of a message, which stay valid.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the message breaks the format; the reader cannot be used after that
    */
  def read(message: Array[Byte]): ColumnBatch
}

/** What a query needs of the rows of a file.
  *
  * @param columns
  *   the columns to fill
  * @param filter
  *   the rows to return
  * @param terms
  *   makes the values of terms and strings
  */
final case class BatchRequest(
    columns: Set[Column],
    filter: RowFilter,
    terms: TermFactory.Provider
)
