package org.jellyspark.jelly

import java.util.Arrays

import org.jellyspark.core.MalformedRowException.malformed

/** One of a reader's three lookups: the entries' bytes by their id.
  *
  * @param table
  *   what it holds, for messages
  * @param size
  *   the most entries
  * @param isRestart
  *   whether reading begins at a restart point: then the first entry must have an id
  */
private[jelly] final class EntryTable(table: String, size: Int, isRestart: Boolean) {
  import EntryTable.NoLast
  import Malformed.unsigned

  private[this] var entries = new Array[Array[Byte]](math.min(size + 1, EntryTable.FirstCapacity))
  private[this] var lengths = unset(entries.length)
  private[this] var lastSet = if (isRestart) NoLast else 0

  /** The bytes of an entry that was set: the first [[lengthOf]] of these. Overwritten with it. */
  def bytesOf(id: Int): Array[Byte] = entries(id)

  def lengthOf(id: Int): Int = lengths(id)

  /** The id of an entry that comes with this one on the wire.
    *
    * @throws MalformedRowException
    *   if there is no such entry
    */
  def idOf(wireId: Int): Int = {
    val id = if (wireId == 0) lastSet + 1 else wireId
    if (id < 1 || id > size) {
      if (lastSet == NoLast && wireId == 0) malformed(s"a $table entry with an id, $After", "id 0")
      malformed(s"a $table entry with an id up to $size", s"id ${unsigned(id)}")
    }
    id
  }

  /** Sets an entry, with an id that [[idOf]] gave. */
  def set(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    lastSet = id
    if (id >= entries.length) grow(id)
    val length = to - from
    val entry = entries(id)
    if (entry == null || entry.length < length) {
      entries(id) = Arrays.copyOfRange(bytes, from, to)
    } else System.arraycopy(bytes, from, entry, 0, length)
    lengths(id) = length
  }

  def isSet(id: Int): Boolean = id > 0 && id < lengths.length && lengths(id) >= 0

  /** Raises the error that a term refers to an entry which is not set. */
  def refuse(id: Int): Nothing = {
    if (id < 1 || id > size) malformed(s"a $table id up to $size", s"id ${unsigned(id)}")
    malformed(s"a $table id that was set before", s"id $id")
  }

  private def grow(id: Int): Unit = {
    val capacity = math.min(math.max(2 * entries.length, id + 1), size + 1)
    val old = lengths.length
    entries = Arrays.copyOf(entries, capacity)
    lengths = Arrays.copyOf(lengths, capacity)
    Arrays.fill(lengths, old, capacity, -1)
  }

  private def unset(count: Int): Array[Int] = Array.fill(count)(-1)

  private def After = EntryTable.After
}

private[jelly] object EntryTable {

  /** In place of the last id where there is none to go on from. */
  final val NoLast = Int.MinValue

  val After = "after a restart"

  private val FirstCapacity = 64
}
