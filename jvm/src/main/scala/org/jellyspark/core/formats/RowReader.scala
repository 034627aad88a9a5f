package org.jellyspark.core.formats

import java.io.{ByteArrayInputStream, InputStream}

import org.jellyspark.core.rows.Row

/** Reads the rows of one file. Uses bounded memory.
  *
  * {{{
  * while (reader.next()) use(reader.row)
  * }}}
  */
trait RowReader {

  /** The current row. It is the same object each time, and valid until the next call of `next`. */
  def row: Row

  /** Moves to the next row; returns whether there is one.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the input breaks the format; call `next` again to skip the row, if the format can
    */
  def next(): Boolean

  /** The text of a malformed row, after `next` raised an error in a format that can skip rows.
    * `row` has the numbers of that row then, and nothing else.
    */
  def malformedRow: String = null

  /** The number of bytes before its part that the reader has passed over. */
  def passedBytes: Long = 0
}

/** Opens files, with the options that it was made with. */
trait ReaderFactory extends Serializable {

  /** Opens a file, or the rows that begin in a part of it.
    *
    * @param in
    *   the bytes of the file from its beginning, for any part; closed by the caller
    * @param file
    *   the name of the file in errors
    */
  def open(in: InputStream, file: String, part: FilePart = FilePart.Whole): RowReader

  /** Opens a message, which is a whole file.
    *
    * @param name
    *   in place of the file's name in errors
    */
  def openMessage(message: Array[Byte], name: String): RowReader =
    open(new ByteArrayInputStream(message), name)
}
