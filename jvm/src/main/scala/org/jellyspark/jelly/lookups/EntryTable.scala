package org.jellyspark.jelly.lookups

import java.util.Arrays

import org.jellyspark.core.bytes.Swar
import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.jelly.wire.Malformed

/** One of a reader's three lookup tables: the bytes of its entries by id, counted from 1.
  *
  * Entries are appended to a single array, the log, which is faster than an array for each entry.
  * When the log is full, the entries that are still set are copied to a new one.
  *
  * @param table
  *   the name of the table in error messages
  * @param size
  *   the largest id
  * @param isRestart
  *   whether reading begins at a restart point, where the first entry must have an explicit id
  * @param space
  *   limits the size of the entries
  */
private[jelly] final class EntryTable(
    table: String,
    size: Int,
    isRestart: Boolean,
    space: EntrySpace
) {
  import EntryTable._
  import Malformed.unsigned

  private[this] var log = new Array[Byte](FirstLogSize)
  private[this] var logged = 0
  // By id: the index in the log at which the entry begins, and its length.
  private[this] var starts = new Array[Int](1)
  private[this] var lengths = Array(Unset)
  private[this] var lastSet = if (isRestart) NoLast else 0

  /** The array that holds the entries, each from [[startOf]] on. Valid until the next [[set]]. */
  def bytes: Array[Byte] = log

  def startOf(id: Int): Int = starts(id)

  /** The length of an entry in bytes. */
  def lengthOf(id: Int): Int = lengths(id)

  def isSet(id: Int): Boolean = id > 0 && id < lengths.length && lengths(id) >= 0

  /** Returns the id of an entry.
    *
    * @param encodedId
    *   the id in the file, where 0 means the previous id plus 1
    * @throws MalformedRowException
    *   if the table has no such entry
    */
  def idOf(encodedId: Int): Int = {
    val id = next(encodedId)
    if (id == NoEntry) {
      if (lastSet == NoLast && encodedId == 0) {
        malformed(s"an explicit id of the $table entry $After", "id 0")
      }
      val found = if (encodedId == 0) lastSet + 1 else encodedId
      malformed(s"a $table entry with an id of at most $size", s"id ${unsigned(found)}")
    }
    id
  }

  /** Like [[idOf]], but returns [[EntryTable.NoEntry]] if the table has no such entry. */
  def next(encodedId: Int): Int = {
    val id = if (encodedId == 0) lastSet + 1 else encodedId
    if (id < 1 || id > size) NoEntry else id
  }

  /** Sets an entry. `id` must come from [[idOf]] or [[next]].
    *
    * @throws MalformedRowException
    *   if the lookup tables would have too many bytes; nothing changes then
    */
  def set(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    if (id >= lengths.length) grow(id)
    val length = to - from
    if (EntrySpace.counts(length) || EntrySpace.counts(lengths(id))) {
      space.replace(lengths(id), length)
    }
    lastSet = id
    lengths(id) = Unset
    // Copying whole words may write up to one word past the entry.
    if (length + Swar.Size > log.length - logged) makeRoom(length)
    if (to + Swar.Size <= bytes.length) Swar.copy(bytes, from, to, log, logged)
    else System.arraycopy(bytes, from, log, logged, length)
    starts(id) = logged
    lengths(id) = length
    logged += length
  }

  /** Removes all entries. Keeps memory for as many as most streams have. */
  def restart(): Unit = {
    if (lengths.length > KeptEntries) {
      starts = new Array[Int](1)
      lengths = Array(Unset)
    } else Arrays.fill(lengths, Unset)
    if (log.length > KeptLogSize) log = new Array[Byte](FirstLogSize)
    logged = 0
    lastSet = if (isRestart) NoLast else 0
  }

  /** Throws the error that a term refers to an entry that is not set. */
  def refuse(id: Int): Nothing = {
    if (id < 1 || id > size) malformed(s"a $table id of at most $size", s"id ${unsigned(id)}")
    malformed(s"the id of an earlier $table entry", s"id $id")
  }

  private def grow(id: Int): Unit = {
    val old = lengths.length
    val capacity = math.min(math.max(2 * old, id + 1), size + 1)
    starts = Arrays.copyOf(starts, capacity)
    lengths = Arrays.copyOf(lengths, capacity)
    Arrays.fill(lengths, old, capacity, Unset)
  }

  /** Copies the entries that are set to a new log with room for another `length` bytes. To make
    * this rare, the new log has additional room: three times the size of the entries, or half of it
    * if they are large.
    */
  private def makeRoom(length: Int): Unit = {
    var needed = length.toLong
    lengths.foreach(length => needed += math.max(length, 0))
    val more = math.min(3 * needed, math.max(LargeRoom, needed / 2))
    val size = math.min(needed + more, MaxLogSize)
    if (needed > size) malformed(s"$table entries of at most $size bytes together", "longer ones")
    val room = new Array[Byte]((size + Swar.Size).toInt)
    logged = 0
    lengths.indices.foreach { id =>
      if (lengths(id) >= 0) {
        System.arraycopy(log, starts(id), room, logged, lengths(id))
        starts(id) = logged
        logged += lengths(id)
      }
    }
    log = room
  }
}

private[jelly] object EntryTable {

  /** Returned instead of an id if the table has no such entry. */
  final val NoEntry = 0

  /** Stands for the last id at a restart point, where an encoded id of 0 has nothing to be relative
    * to. Ids computed from it are negative, so they never refer to an entry.
    */
  final val NoLast = Int.MinValue

  /** An addition to error messages if reading began at a restart point. */
  val After = "after a restart point"

  /** Stands for the length of an entry that is not set. */
  private final val Unset = -1

  /** The most entries for which memory is kept for the next stream. */
  final val KeptEntries = 1 << 8

  private val KeptLogSize = 1 << 16
  private val FirstLogSize = 1 << 12
  private val LargeRoom = 1L << 22
  private val MaxLogSize = Int.MaxValue - 16L
}

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
