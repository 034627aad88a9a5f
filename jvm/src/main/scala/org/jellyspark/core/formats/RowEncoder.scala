package org.jellyspark.core.formats

import org.jellyspark.core.rows.Row

/** Encodes the rows of one file, in order. */
private[jellyspark] trait RowEncoder {

  /** Encodes one row.
    *
    * @throws RefusedException
    *   if the row cannot be written with these options; nothing may be written afterwards
    */
  def write(row: Row): Unit

  /** Ends the file, and writes what is still in memory.
    *
    * @throws RefusedException
    *   if the file becomes too long for its format
    */
  def finish(): Unit

  /** Begins another file on the same stream, after [[finish]]. */
  def restart(): Unit
}
