package org.jellyspark.jelly.decoding

import java.util.Arrays

import org.jellyspark.core.bytes.Swar
import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.jelly.wire.Malformed

/** One of a reader's three lookups: the entries' bytes by their id. They are written one behind the
  * other, which is quicker than to put each where the one before it was.
  *
  * @param table
  *   what it holds, for messages
  * @param size
  *   the most entries
  * @param isRestart
  *   whether reading begins at a restart point: then the first entry must have an id
  */
private[jelly] final class EntryTable(table: String, size: Int, isRestart: Boolean) {
  import EntryTable._
  import Malformed.unsigned

  private[this] var log = new Array[Byte](FirstLogSize)
  private[this] var logged = 0
  // By id: where in the log the entry begins and how long it is.
  private[this] var starts = new Array[Int](1)
  private[this] var lengths = Array(Unset)
  private[this] var lastSet = if (isRestart) NoLast else 0

  /** The bytes that hold the entries, each from [[startOf]] on; others after [[set]]. */
  def bytes: Array[Byte] = log

  def startOf(id: Int): Int = starts(id)

  /** The length of an entry in bytes. */
  def lengthOf(id: Int): Int = lengths(id)

  def isSet(id: Int): Boolean = id > 0 && id < lengths.length && lengths(id) >= 0

  /** The id of an entry that comes with this one on the wire.
    *
    * @throws MalformedRowException
    *   if there is no such entry
    */
  def idOf(wireId: Int): Int = {
    val id = next(wireId)
    if (id == 0) {
      if (lastSet == NoLast && wireId == 0) malformed(s"a $table entry with an id, $After", "id 0")
      val found = if (wireId == 0) lastSet + 1 else wireId
      malformed(s"a $table entry with an id up to $size", s"id ${unsigned(found)}")
    }
    id
  }

  /** As [[idOf]]; 0 if there is no such entry. */
  def next(wireId: Int): Int = {
    val id = if (wireId == 0) lastSet + 1 else wireId
    if (id < 1 || id > size) 0 else id
  }

  /** Sets an entry, with an id that [[idOf]] gave. */
  def set(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    lastSet = id
    if (id >= lengths.length) grow(id)
    val length = to - from
    lengths(id) = Unset
    if (length + Swar.Size > log.length - logged) makeRoom(length)
    if (to + Swar.Size <= bytes.length) Swar.copy(bytes, from, to, log, logged)
    else System.arraycopy(bytes, from, log, logged, length)
    starts(id) = logged
    lengths(id) = length
    logged += length
  }

  /** Raises the error that a term refers to an entry which is not set. */
  def refuse(id: Int): Nothing = {
    if (id < 1 || id > size) malformed(s"a $table id up to $size", s"id ${unsigned(id)}")
    malformed(s"a $table id that was set before", s"id $id")
  }

  private def grow(id: Int): Unit = {
    val old = lengths.length
    val capacity = math.min(math.max(2 * old, id + 1), size + 1)
    starts = Arrays.copyOf(starts, capacity)
    lengths = Arrays.copyOf(lengths, capacity)
    Arrays.fill(lengths, old, capacity, Unset)
  }

  /** Leaves out of the log what no id has any more. */
  private def makeRoom(length: Int): Unit = {
    var live = 0L
    lengths.foreach(length => live += math.max(length, 0))
    val needed = 4 * (live + length)
    val size = math.max(math.min(needed, MaxLogSize), live + length)
    val room = new Array[Byte](math.toIntExact(size + Swar.Size))
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

  /** In place of the last id where there is none to go on from. */
  final val NoLast = Int.MinValue

  /** What errors add where reading began at a restart point. */
  val After = "after a restart"

  private final val Unset = -1
  private val FirstLogSize = 1 << 12
  private val MaxLogSize = Int.MaxValue - 16L
}
