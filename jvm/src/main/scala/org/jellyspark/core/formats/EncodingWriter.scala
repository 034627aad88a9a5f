package org.jellyspark.core.formats

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.errors.RefusedException
import org.jellyspark.core.rows.{Column, Row, RowText}

/** Writes rows as an encoder has them, up to the first that it refuses.
  *
  * @param columns
  *   those of the format's rows
  */
private[jellyspark] class EncodingWriter(encoder: RowEncoder, columns: Seq[Column])
    extends RowWriter {
  private[this] var broken = false

  final override def write(row: Row): Unit = {
    if (broken) throw new IllegalStateException("the writer failed before")
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

  protected def encode(row: Row): Unit = encoder.write(row)

  /** Checks that the file may end here, with a [[RefusedException]]. */
  protected def checkEnd(): Unit = ()
}
