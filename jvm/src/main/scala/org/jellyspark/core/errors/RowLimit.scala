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

  /** Checks the size in bytes of all that a stream declares once and refers to in its rows.
    *
    * @param what
    *   what it declares, for the error
    * @throws MalformedRowException
    *   if it is above half of the limit
    */
  private[jellyspark] def checkDeclared(what: String, size: Long): Unit = if (size > bytes / 2) {
    malformed(
      s"$what of at most ${bytes / 2} bytes together (half of option maxRowSize)",
      "longer ones"
    )
  }
}

object RowLimit {

  /** The limit by default: 64 MiB. */
  val Default: RowLimit = RowLimit(1 << 26)
}
