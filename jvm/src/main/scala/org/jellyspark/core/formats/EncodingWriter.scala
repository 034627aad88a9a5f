package org.jellyspark.core.formats

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.errors.RefusedException
import org.jellyspark.core.rows.{Column, Row, RowText}

/** Writes rows with an encoder, and adds the row to the encoder's errors. After an error, nothing
  * more is written.
  *
  * @param columns
  *   the columns of the format's rows, for error messages
  */
private[jellyspark] class EncodingWriter(encoder: RowEncoder, columns: Seq[Column])
    extends RowWriter {
  // True while a row is being encoded, and therefore after any exception.
  private[this] var broken = false

  final override def write(row: Row): Unit = {
    if (broken) throw new IllegalStateException("the writer cannot be used after an error")
    broken = true
    try encode(row)
    catch {
      case e: RefusedException => throw new UnwritableRowException(e.rule, RowText(row, columns))
    }
    broken = false
  }

  final override def finish(): Unit = if (!broken) {
    try {
      checkEnd()
      encoder.finish()
    } catch { case e: RefusedException => throw new UnwritableRowException(e.rule, null) }
  }

  override def restart(): Unit = encoder.restart()

  /** Encodes one row. Subclasses may add rows and checks. */
  protected def encode(row: Row): Unit = encoder.write(row)

  /** Checks that the file may end here.
    *
    * @throws RefusedException
    *   if the file must not end here
    */
  protected def checkEnd(): Unit = ()
}
