package org.jellyspark.core.formats

import java.io.OutputStream

import org.jellyspark.core.rows.Row

/** Writes the rows of one file. */
trait RowWriter {

  /** Writes one row. Its numbers are those of the file that it was read from, if it was.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if the row cannot be written; nothing can be written after that
    */
  def write(row: Row): Unit

  /** Ends the file, and writes what is still in memory. Does nothing after an error.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if the file may not end here
    */
  def finish(): Unit

  /** Begins another file on the same stream, after [[finish]] and without an error before. */
  def restart(): Unit
}

/** Makes writers of files, with the options that it was made with. */
trait WriterFactory extends Serializable {

  /** Begins a file.
    *
    * @param out
    *   where the bytes go; closed by the caller
    */
  def open(out: OutputStream): RowWriter
}
