package org.jellyspark.jelly.decoding

import org.jellyspark.core.errors.RowLimit

/** Bounds the bytes that the entries of a stream's three lookup tables have together: by half of
  * the option `maxRowSize`, as a row could refer to the longest ones. Entries of less than 128
  * bytes do not count: the sizes of the tables bound them.
  */
private[jelly] final class EntrySpace(limit: RowLimit) {
  private[this] var used = 0L

  /** Counts an entry that replaces another.
    *
    * @param before
    *   the length of the replaced entry in bytes; -1 for none
    * @throws MalformedRowException
    *   if the entries are too long now; nothing is counted then
    */
  def replace(before: Int, after: Int): Unit = {
    val now = used - counted(before) + counted(after)
    limit.checkDeclared("lookup entries", now)
    used = now
  }

  /** Counts from 0 again. */
  def restart(): Unit = used = 0L

  private def counted(length: Int): Int = if (EntrySpace.counts(length)) length else 0
}

private[jelly] object EntrySpace {

  /** Whether an entry of this length counts. */
  def counts(length: Int): Boolean = length > 127
}
