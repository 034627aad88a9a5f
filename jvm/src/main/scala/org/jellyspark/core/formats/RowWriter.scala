package org.jellyspark.core.formats

import java.io.OutputStream

import org.jellyspark.core.rows.Row

/** Writes the rows of one file. */
trait RowWriter {

  /** Writes one row. If it was read from a file, its numbers are those from that file.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if the row cannot be written; nothing can be written afterwards
    */
  def write(row: Row): Unit

  /** Ends the file, and writes what is still in memory. Does nothing after an error.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if the file must not end here
    */
  def finish(): Unit

  /** Begins another file on the same stream, after [[finish]], if there was no error. */
  def restart(): Unit
}

/** Creates writers of files with fixed options. */
trait WriterFactory extends Serializable {

  /** Begins a file.
    *
    * @param out
    *   the stream to write to; closed by the caller
    */
  def open(out: OutputStream): RowWriter
}
