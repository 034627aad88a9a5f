package org.jellyspark.jelly.decoding

import org.jellyspark.core.errors.RowLimit

/** Limits the total size of the entries in a stream's three lookup tables to half of the option
  * `maxRowSize`, because a row could refer to the longest entries. Entries of less than 128 bytes
  * are not counted, because the sizes of the tables limit them.
  */
private[jelly] final class EntrySpace(limit: RowLimit) {
  private[this] var used = 0L

  /** Counts an entry that replaces another.
    *
    * @param before
    *   the length of the replaced entry in bytes; -1 if there is none
    * @param after
    *   the length of the new entry in bytes
    * @throws MalformedRowException
    *   if the entries would be too long; nothing is counted then
    */
  def replace(before: Int, after: Int): Unit = {
    val now = used - counted(before) + counted(after)
    limit.checkDeclared("lookup entries", now)
    used = now
  }

  /** Starts counting from 0 again. */
  def restart(): Unit = used = 0L

  private def counted(length: Int): Int = if (EntrySpace.counts(length)) length else 0
}

private[jelly] object EntrySpace {

  /** Whether entries of this length, in bytes, are counted. */
  def counts(length: Int): Boolean = length > 127
}
