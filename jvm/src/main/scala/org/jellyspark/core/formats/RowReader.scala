package org.jellyspark.core.formats

import java.io.{ByteArrayInputStream, InputStream}

import org.jellyspark.core.rows.Row

/** Reads the rows of one file, in bounded memory.
  *
  * {{{
  * while (reader.next()) use(reader.row)
  * }}}
  */
trait RowReader extends AutoCloseable {

  /** The current row. It is the same object each time, and valid until the next call of `next`. */
  def row: Row

  /** Moves to the next row.
    *
    * @return
    *   whether there is one
    * @throws org.jellyspark.MalformedInputException
    *   if the input is malformed; if the format can skip rows, call `next` again to skip the
    *   malformed one
    */
  def next(): Boolean

  /** The text of the malformed row, after `next` failed in a format that can skip rows. At that
    * time, `row` has only the ordinals of that row.
    */
  def malformedRow: String = null

  /** The number of bytes before its part that the reader has skipped. */
  def passedBytes: Long = 0

  /** Ends what the reader has started, such as a thread. The bytes that it reads are closed by the
    * caller, afterwards.
    */
  def close(): Unit = ()
}

/** Opens files with fixed options. */
trait ReaderFactory extends Serializable {

  /** Opens a file, or the rows that begin in a part of it.
    *
    * @param in
    *   the bytes of the file from its beginning, for any part; closed by the caller
    * @param file
    *   the name of the file in error messages
    */
  def open(in: InputStream, file: String, part: FilePart = FilePart.Whole): RowReader

  /** Opens a message, which is a complete file.
    *
    * @param name
    *   shown instead of a file name in error messages
    */
  def openMessage(message: Array[Byte], name: String): RowReader =
    open(new ByteArrayInputStream(message), name)
}
