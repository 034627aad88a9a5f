package org.jellyspark.jelly.encoding

import java.util.Arrays

import org.jellyspark.core.bytes.ByteHash
import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.jelly.frames.FrameWriter

/** A lookup of the encoder: chooses the ids of its entries, finds entries by their bytes, and
  * writes new ones before the row that uses them.
  *
  * Ids count up from 1 until the lookup is full. From then on a new entry takes the id of the least
  * recently used one. The memory grows with the entries that there are, not with `maxSize`.
  *
  * A row's new entries are all written before the row itself. If one of them replaced an entry that
  * the same row uses, a reader would get a wrong term. Such a row is refused; the reference writes
  * it.
  *
  * @param table
  *   the lookup's name, for messages
  * @param maxSize
  *   the most entries; 0 if the lookup is not used
  * @param frame
  *   where new entries are written
  * @param field
  *   the field of their rows
  */
private[jelly] final class LookupEncoder(
    table: String,
    maxSize: Int,
    frame: FrameWriter,
    field: Int
) {
  import LookupEncoder._

  // A hash table of ids with linear probing. At most half of its places are used, and their number
  // is a power of two. Each id's hash stands beside it.
  private[this] var places = new Array[Int](128)
  private[this] var hashes = new Array[Int](places.length)
  private[this] var size = 0
  private[this] val order = new LruList
  // By id. What is asked for often stands in arrays of numbers, as most entries are not in the
  // processor's caches.
  private[this] var entries = new Array[LookupEntry](16)
  private[this] var hashOf = new Array[Int](16)
  private[this] var stampOf = new Array[Long](16)
  private[this] var usedIn = new Array[Long](16)
  // 64 bits, so that no stamp comes again.
  private[this] var lastStamp = NoStamp
  // The ordinal of the row that is being encoded.
  private[this] var row = 1L
  // The id after the one that was written last. It is written as 0 (Jelly-RDF, "Prefix, name, and
  // datatype lookup entries").
  private[this] var nextId = FirstId

  /** Notes that the row whose terms were encoded is complete. */
  def endRow(): Unit = row += 1

  /** The entry of the bytes from `from` to before `to`; null if there is none. */
  def find(bytes: Array[Byte], from: Int, to: Int): LookupEntry =
    find(bytes, from, to, ByteHash.of(bytes, from, to))

  /** Whether the entry with this id and stamp is still in the lookup. */
  def has(id: Int, stamp: Long): Boolean = stampOf(id) == stamp

  /** Notes that the row uses an entry. */
  def use(id: Int): Unit = {
    usedIn(id) = row
    order.use(id)
  }

  /** The entry of the bytes from `from` to before `to`, used by the row. Writes it if it is new.
    *
    * @throws RefusedException
    *   if it is new, and the row uses all entries
    */
  def entry(bytes: Array[Byte], from: Int, to: Int): LookupEntry = {
    val hash = ByteHash.of(bytes, from, to)
    val known = find(bytes, from, to, hash)
    if (known ne null) {
      use(known.id)
      known
    } else add(Arrays.copyOfRange(bytes, from, to), hash)
  }

  /** Removes all entries. The next one is written with its id, never as 0: so it has the same id
    * for a reader who begins there as for one who does not.
    */
  def restart(): Unit = {
    while (order.oldest != LruList.Sentinel) {
      val id = order.oldest
      remove(id)
      entries(id) = null
    }
    nextId = NoId
  }

  /** Has the next entry be the first one of a stream, after [[restart]]. */
  def startStream(): Unit = nextId = FirstId

  private def add(bytes: Array[Byte], hash: Int): LookupEntry = {
    val id = if (size < maxSize) size + 1 else evict()
    val encodedId = if (id == nextId) 0 else id
    nextId = id + 1
    size += 1
    if (2 * size > places.length) grow()
    place(id, hash)
    if (id >= entries.length) growEntries(2 * id)
    lastStamp += 1
    val entry = new LookupEntry(bytes, id, lastStamp)
    entries(id) = entry
    hashOf(id) = hash
    stampOf(id) = lastStamp
    usedIn(id) = row
    order.add(id)
    frame.entry(field, encodedId, bytes)
    entry
  }

  private def find(bytes: Array[Byte], from: Int, to: Int, hash: Int): LookupEntry = {
    var place = hash & (places.length - 1)
    while (places(place) != NoId && !isAt(place, bytes, from, to, hash)) {
      place = place + 1 & (places.length - 1)
    }
    if (places(place) == NoId) null else entries(places(place))
  }

  /** Removes the least recently used entry; returns its id. */
  private def evict(): Int = {
    val oldest = order.oldest
    if (usedIn(oldest) == row) {
      refuse(
        s"the row needs more entries than the $table table of $maxSize can hold: raise " +
          s"max${table.capitalize}TableSize"
      )
    }
    remove(oldest)
    oldest
  }

  private def isAt(place: Int, bytes: Array[Byte], from: Int, to: Int, hash: Int): Boolean =
    hashes(place) == hash && {
      val found = entries(places(place)).bytes
      Arrays.equals(found, 0, found.length, bytes, from, to)
    }

  private def place(id: Int, hash: Int): Unit = {
    var place = hash & (places.length - 1)
    while (places(place) != NoId) place = place + 1 & (places.length - 1)
    places(place) = id
    hashes(place) = hash
  }

  private def grow(): Unit = {
    val before = places
    places = new Array[Int](2 * before.length)
    hashes = new Array[Int](places.length)
    before.foreach(id => if (id != NoId) place(id, hashOf(id)))
  }

  private def growEntries(capacity: Int): Unit = {
    entries = Arrays.copyOf(entries, capacity)
    hashOf = Arrays.copyOf(hashOf, capacity)
    stampOf = Arrays.copyOf(stampOf, capacity)
    usedIn = Arrays.copyOf(usedIn, capacity)
  }

  private def remove(id: Int): Unit = {
    stampOf(id) = NoStamp
    order.remove(id)
    size -= 1
    val mask = places.length - 1
    var free = hashOf(id) & mask
    while (places(free) != id) free = free + 1 & mask
    // Deletes without tombstones (backward shift): of the ids that follow without a gap, each moves
    // to the free place, unless it would come to stand before the place that its hash gives it.
    var i = free + 1 & mask
    while (places(i) != NoId) {
      val home = hashes(i) & mask
      if ((i - home & mask) >= (i - free & mask)) {
        places(free) = places(i)
        hashes(free) = hashes(i)
        free = i
      }
      i = i + 1 & mask
    }
    places(free) = NoId
  }
}

private object LookupEncoder {
  // In place of an id: ids count from 1.
  private final val NoId = 0
  private final val FirstId = 1
  // The stamp of an id that has no entry.
  private final val NoStamp = 0L
}

/** An entry of a lookup of the encoder.
  *
  * @param stamp
  *   a number that no other entry of the lookup has ever had: where an id is kept, it tells whether
  *   the id still has the same entry
  */
private[jelly] final class LookupEntry(val bytes: Array[Byte], val id: Int, val stamp: Long) {

  /** Whether the entry is known to be an IRI that N-Triples writes without escapes. */
  var isUnescaped: Boolean = false
}
