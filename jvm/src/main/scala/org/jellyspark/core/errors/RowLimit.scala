package org.jellyspark.core.errors

import org.jellyspark.core.errors.MalformedRowException.malformed

/** The limit that the option `maxRowSize` sets: the most bytes of a row in the file, and of the
  * terms of a row as text.
  *
  * @param bytes
  *   the value of the option, at least 1
  */
final case class RowLimit(bytes: Int) {
  // No array can hold more than this, with some room behind it.
  private[this] val most = math.min(bytes, Int.MaxValue - 64).toLong

  /** Checks the size of a row, or of a part of it, in bytes.
    *
    * @throws MalformedRowException
    *   if it is above the limit
    */
  private[jellyspark] def check(size: Long): Unit = if (size > most) {
    malformed(s"a row of at most $bytes bytes (option maxRowSize)", "a longer one")
  }
}

object RowLimit {

  /** The limit by default: 64 MiB. */
  val Default: RowLimit = RowLimit(1 << 26)
}
