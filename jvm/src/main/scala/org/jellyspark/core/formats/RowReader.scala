package org.jellyspark.core.formats

import java.io.InputStream

import org.jellyspark.core.rows.Row

/** Reads the rows of one file, in bounded memory.
  *
  * {{{
  * while (reader.next()) use(reader.row)
  * }}}
  */
trait RowReader {

  /** The current row; the same object each time, valid until `next`. */
  def row: Row

  /** Moves on to the next row; answers whether there is one.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the input breaks the format; it may be called again if the format can skip rows
    */
  def next(): Boolean

  /** After such an error, where the format can skip rows: the text of the row that is malformed.
    * `row` has its numbers, and nothing else.
    */
  def malformedRow: String = null
}

/** Opens files, with the options that it was made of. */
trait ReaderFactory extends Serializable {

  /** Reads a file, or the rows that begin in a part of it.
    *
    * @param in
    *   the file's bytes from its beginning, whichever the part; closed by the caller
    * @param file
    *   what errors call it
    */
  def open(in: InputStream, file: String, part: FilePart = FilePart.Whole): RowReader
}
