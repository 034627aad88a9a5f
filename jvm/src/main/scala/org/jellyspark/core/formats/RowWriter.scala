package org.jellyspark.core.formats

import java.io.OutputStream

import org.jellyspark.core.rows.Row

/** Writes the rows of one file. */
trait RowWriter {

  /** Writes one row, with the numbers that a reader gave it, if it did.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if it cannot be written; nothing can follow it
    */
  def write(row: Row): Unit

  /** Ends the file: what is still held is written, unless a row failed.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if the file may not end here
    */
  def finish(): Unit
}

/** Makes files, with the options that it was made of. */
trait WriterFactory extends Serializable {

  /** Writes a file.
    *
    * @param out
    *   where the bytes go; closed by the caller
    */
  def open(out: OutputStream): RowWriter
}
