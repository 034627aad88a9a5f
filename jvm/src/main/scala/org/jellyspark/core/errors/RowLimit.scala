package org.jellyspark.core.errors

import org.jellyspark.core.errors.MalformedRowException.malformed

/** The limit set by the option `maxRowSize`: the largest number of bytes of a row in the file, and
  * of the terms of a row as text.
  *
  * @param bytes
  *   the value of the option, at least 1
  */
final case class RowLimit(bytes: Int) {
  // The longest array, with some room to spare.
  private[this] val most = math.min(bytes, Int.MaxValue - 64).toLong

  /** Checks the size in bytes of a row or a part of it.
    *
    * @throws MalformedRowException
    *   if it is above the limit
    */
  private[jellyspark] def check(size: Long): Unit = if (size > most) {
    malformed(s"a row of at most $bytes bytes (option maxRowSize)", "a longer one")
  }

  /** Checks the size in bytes of everything that a stream declares once and then refers to in its
    * rows.
    *
    * @param what
    *   what is declared, for the error message
    * @throws MalformedRowException
    *   if it is above half the limit
    */
  private[jellyspark] def checkDeclared(what: String, size: Long): Unit = if (size > bytes / 2) {
    malformed(
      s"$what of at most ${bytes / 2} bytes together (half of option maxRowSize)",
      "longer ones"
    )
  }
}

object RowLimit {

  /** The default limit, 64 MiB. */
  val Default: RowLimit = RowLimit(1 << 26)
}
