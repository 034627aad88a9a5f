package org.jellyspark.core

import org.jellyspark.UnwritableRowException

/** Writes rows as an encoder has them, up to the first that it refuses. */
private[jellyspark] class EncodingWriter(encoder: RowEncoder) extends RowWriter {
  private[this] var broken = false

  final override def write(row: Row): Unit = {
    if (broken) throw new IllegalStateException("the writer failed before")
    broken = true
    try encode(row)
    catch { case e: RefusedException => throw new UnwritableRowException(e.rule, RowText(row)) }
    broken = false
  }

  final override def finish(): Unit = if (!broken) {
    try checkEnd()
    catch { case e: RefusedException => throw new UnwritableRowException(e.rule, null) }
    encoder.finish()
  }

  protected def encode(row: Row): Unit = encoder.write(row)

  /** Checks that the file may end here, with a [[RefusedException]]. */
  protected def checkEnd(): Unit = ()
}
