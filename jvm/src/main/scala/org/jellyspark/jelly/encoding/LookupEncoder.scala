package org.jellyspark.jelly.encoding

import java.util.Arrays

import org.jellyspark.core.bytes.ByteHash
import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.jelly.frames.FrameWriter

/** A lookup of the encoder. It assigns ids to entries, finds entries by their bytes, and writes new
  * ones before the row that uses them.
  *
  * Ids count up from 1 until the lookup is full. From then on, a new entry takes the id of the
  * least recently used one. Memory grows with the number of entries, not with `maxSize`.
  *
  * All new entries of a row are written before the row itself. If one of them replaced an entry
  * that the same row uses, readers would see a wrong term. Such a row is refused, whereas Jelly-JVM
  * writes it.
  *
  * @param table
  *   the name of the lookup in error messages
  * @param maxSize
  *   the largest number of entries; 0 if the lookup is not used
  * @param frame
  *   receives new entries
  * @param field
  *   the field number of their rows
  */
private[jelly] final class LookupEncoder(
    table: String,
    maxSize: Int,
    frame: FrameWriter,
    field: Int
) {
  import LookupEncoder._

  // A hash table of ids with linear probing. It is at most half full, and its size is a power of
  // two. The hash of each id is stored next to it.
  private[this] var places = new Array[Int](128)
  private[this] var hashes = new Array[Int](places.length)
  private[this] val factor = ByteHash.newFactor()
  private[this] var size = 0
  private[this] val order = new LruList
  // By id; those in use are 1 to `size`. Data that is needed often is in arrays of numbers, because
  // most entry objects are not in the CPU caches.
  private[this] var entries = new Array[LookupEntry](16)
  private[this] var hashOf = new Array[Int](16)
  private[this] var stampOf = new Array[Long](16)
  private[this] var usedIn = new Array[Long](16)
  // 64 bits, so that stamps are never reused.
  private[this] var lastStamp = NoStamp
  // The ordinal of the row that is being encoded.
  private[this] var row = 1L
  // The last id written plus one, which is encoded as 0 (Jelly-RDF, "Prefix, name, and datatype
  // lookup entries").
  private[this] var nextId = FirstId

  /** Call this when the row whose terms were encoded is complete. */
  def endRow(): Unit = row += 1

  /** Whether the entry with this id and stamp is still in the lookup. */
  def has(id: Int, stamp: Long): Boolean = stampOf(id) == stamp

  /** Records that the row uses an entry. */
  def use(id: Int): Unit = {
    usedIn(id) = row
    order.use(id)
  }

  /** Returns the entry for `bytes[from, to)` and records that the row uses it. Writes the entry if
    * it is new.
    *
    * @throws RefusedException
    *   if the entry is new, but the row already uses all entries
    */
  def entry(bytes: Array[Byte], from: Int, to: Int): LookupEntry = {
    val hash = ByteHash.of(bytes, from, to, factor)
    val known = find(bytes, from, to, hash)
    if (known ne null) {
      use(known.id)
      known
    } else add(Arrays.copyOfRange(bytes, from, to), hash)
  }

  /** Removes all entries. The next one is written with its id, never as 0, so that it has the same
    * id for readers that start there as for all others.
    */
  def restart(): Unit = {
    var id = FirstId
    while (id <= size) {
      places(placeOf(id)) = NoId
      stampOf(id) = NoStamp
      entries(id) = null
      id += 1
    }
    size = 0
    order.clear()
    nextId = NoId
  }

  /** Makes the next entry the first one of a stream, after [[restart]]. */
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

  /** Removes the least recently used entry.
    *
    * @return
    *   its id
    */
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
    hashes(place) == hash && entries(places(place)).is(bytes, from, to)

  private def place(id: Int, hash: Int): Unit = {
    var place = hash & (places.length - 1)
    while (places(place) != NoId) place = place + 1 & (places.length - 1)
    places(place) = id
    hashes(place) = hash
  }

  private def placeOf(id: Int): Int = {
    var place = hashOf(id) & (places.length - 1)
    while (places(place) != id) place = place + 1 & (places.length - 1)
    place
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
    var free = placeOf(id)
    // Deletion without tombstones (backward shift): each of the ids that follow without a gap moves
    // to the free slot, unless that would put it before the slot given by its hash.
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
  // Stands for an id where there is none. Ids start at 1.
  private final val NoId = 0
  private final val FirstId = 1
  // The stamp of an id without an entry.
  private final val NoStamp = 0L
}

/** An entry of a lookup of the encoder.
  *
  * @param stamp
  *   a number that no other entry of the lookup ever has. It tells whether a remembered id still
  *   refers to the same entry.
  */
private[jelly] final class LookupEntry(bytes: Array[Byte], val id: Int, val stamp: Long) {

  /** The number of bytes. */
  def length: Int = bytes.length

  /** Whether the entry is `other[from, to)`. */
  def is(other: Array[Byte], from: Int, to: Int): Boolean =
    Arrays.equals(bytes, 0, bytes.length, other, from, to)
}

/** The ids of a lookup, ordered from the least to the most recently used.
  *
  * This is an intrusive doubly linked list in two arrays. The nodes are the ids themselves, from 1,
  * and the arrays hold the neighbors of each id. Id 0 is a sentinel that joins both ends of the
  * list, so that no operation needs a special case for an end. The invariant, for 0 and all ids in
  * the list: `newer(older(id)) == id` and `older(newer(id)) == id`.
  *
  * Nearly every term that is written changes the order. With node objects, each change would store
  * references into old-generation objects, which triggers GC write barriers. Storing numbers does
  * not.
  */
private final class LruList {
  import LruList.Sentinel

  private[this] var newer = new Array[Int](16)
  private[this] var older = new Array[Int](16)

  /** The least recently used id, if there is one. */
  def oldest: Int = newer(Sentinel)

  /** Removes all ids. */
  def clear(): Unit = {
    newer(Sentinel) = Sentinel
    older(Sentinel) = Sentinel
  }

  /** Makes an id in the list the most recently used one. */
  def use(id: Int): Unit = if (older(Sentinel) != id) {
    remove(id)
    link(id)
  }

  /** Adds an id that is not in the list as the most recently used one. */
  def add(id: Int): Unit = {
    if (id >= newer.length) {
      newer = Arrays.copyOf(newer, 2 * id)
      older = Arrays.copyOf(older, 2 * id)
    }
    link(id)
  }

  /** Removes an id from the list. */
  def remove(id: Int): Unit = {
    newer(older(id)) = newer(id)
    older(newer(id)) = older(id)
  }

  private def link(id: Int): Unit = {
    val newest = older(Sentinel)
    newer(newest) = id
    older(id) = newest
    newer(id) = Sentinel
    older(Sentinel) = id
  }
}

private object LruList {
  final val Sentinel = 0
}
