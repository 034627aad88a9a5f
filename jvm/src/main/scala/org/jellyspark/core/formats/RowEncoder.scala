package org.jellyspark.core.formats

import org.jellyspark.core.rows.Row

/** Makes the bytes of one file out of rows, in order. */
private[jellyspark] trait RowEncoder {

  /** Encodes one row.
    *
    * @throws RefusedException
    *   if no file with these options can hold it; nothing may be written after that
    */
  def write(row: Row): Unit

  /** Ends the file: what is still held is written.
    *
    * @throws RefusedException
    *   if no file with these options can hold it
    */
  def finish(): Unit
}
