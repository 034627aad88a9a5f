package org.jellyspark.core.formats

import org.jellyspark.core.rows.{Column, ColumnBatch, RowFilter}
import org.jellyspark.core.terms.TermFactory

/** Reads the rows of a file, or of a part of it, as columns, in bounded memory. */
trait BatchReader extends AutoCloseable {

  /** The next rows; null if there are no more. Rows before an error are delivered first.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the input breaks the format
    */
  def next(): ColumnBatch

  /** After such an error: goes on at the next place from which reading needs nothing before it.
    *
    * @return
    *   whether there is one in this part of the file
    * @throws org.jellyspark.MalformedInputException
    *   if that place cannot be trusted; nothing can be read after that
    */
  def skip(): Boolean
}

/** Opens files, with the options and the request that it was made of. */
trait BatchReaderFactory extends Serializable {

  /** Reads the rows that begin in a part of a file; the reader is closed by the caller.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the input breaks the format
    */
  def open(file: InputFile, part: FilePart): BatchReader
}

/** What a query wants of the rows of a file.
  *
  * @param columns
  *   those to be filled
  * @param filter
  *   rows that do not pass it are left out
  * @param terms
  *   makes what stands for terms and texts, anew for each file
  */
final case class BatchRequest(
    columns: Set[Column],
    filter: RowFilter,
    terms: TermFactory.Provider
)
