package org.jellyspark.jelly.decoding

import java.util.Arrays

import org.jellyspark.core.bytes.Swar
import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.jelly.wire.Malformed

/** One of a reader's three lookup tables: the bytes of its entries by their id, from 1.
  *
  * Entries are appended to one array, which is faster than an array for each. When it is full, a
  * new one gets the entries that are still set.
  *
  * @param table
  *   the table's name in errors
  * @param size
  *   the largest id
  * @param isRestart
  *   whether reading begins at a restart point; then the first entry must have an explicit id
  * @param space
  *   bounds the bytes of the entries
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
  // By id: where the entry begins in the log, and its length.
  private[this] var starts = new Array[Int](1)
  private[this] var lengths = Array(Unset)
  private[this] var lastSet = if (isRestart) NoLast else 0

  /** The bytes that hold the entries, each from [[startOf]] on, until the next [[set]]. */
  def bytes: Array[Byte] = log

  def startOf(id: Int): Int = starts(id)

  /** The length of an entry in bytes. */
  def lengthOf(id: Int): Int = lengths(id)

  def isSet(id: Int): Boolean = id > 0 && id < lengths.length && lengths(id) >= 0

  /** The id of an entry.
    *
    * @param encodedId
    *   the id on the wire, where 0 means the id of the previous entry plus 1
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

  /** As [[idOf]]; [[EntryTable.NoEntry]] if the table has no such entry. */
  def next(encodedId: Int): Int = {
    val id = if (encodedId == 0) lastSet + 1 else encodedId
    if (id < 1 || id > size) NoEntry else id
  }

  /** Sets an entry, with an id that [[idOf]] or [[next]] returned.
    *
    * @throws MalformedRowException
    *   if the lookup tables have too many bytes then; nothing changes
    */
  def set(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    if (id >= lengths.length) grow(id)
    val length = to - from
    if (EntrySpace.counts(length) || EntrySpace.counts(lengths(id))) {
      space.replace(lengths(id), length)
    }
    lastSet = id
    lengths(id) = Unset
    // A copy by words may write up to a word beyond the entry.
    if (length + Swar.Size > log.length - logged) makeRoom(length)
    if (to + Swar.Size <= bytes.length) Swar.copy(bytes, from, to, log, logged)
    else System.arraycopy(bytes, from, log, logged, length)
    starts(id) = logged
    lengths(id) = length
    logged += length
  }

  /** Removes all entries. Memory is kept for as many as most streams have. */
  def restart(): Unit = {
    if (lengths.length > KeptEntries) {
      starts = new Array[Int](1)
      lengths = Array(Unset)
    } else Arrays.fill(lengths, Unset)
    if (log.length > KeptLogSize) log = new Array[Byte](FirstLogSize)
    logged = 0
    lastSet = if (isRestart) NoLast else 0
  }

  /** Raises the error that a term refers to an entry which is not set. */
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

  /** Copies the entries that are set to a new log, with room for another of `length` bytes. More
    * room makes that rare: three times their bytes, or half of them where they are many.
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

  /** In place of an id: the table has no such entry. */
  final val NoEntry = 0

  /** In place of the last id at a restart point: an id of 0 on the wire is relative to nothing. Any
    * id that is computed from it is negative, so no entry has it.
    */
  final val NoLast = Int.MinValue

  /** What errors add where reading began at a restart point. */
  val After = "after a restart point"

  /** In place of the length of an entry. */
  private final val Unset = -1

  /** The most entries for which memory is kept for another stream. */
  final val KeptEntries = 1 << 8

  private val KeptLogSize = 1 << 16
  private val FirstLogSize = 1 << 12
  private val LargeRoom = 1L << 22
  private val MaxLogSize = Int.MaxValue - 16L
}
