package org.jellyspark.jelly.encoding

import java.util.Arrays

import org.jellyspark.core.errors.RefusedException.refuse

/** A lookup of the encoder, by the bytes of its entries: ids run on until it is full, then the
  * least recently used entry makes room. It grows with the entries that it really has.
  *
  * All entries of a row stand before it, so one that replaces an entry which the row uses itself
  * would be read wrong: that is refused, where the reference does not see it.
  *
  * @param table
  *   what it holds, for messages
  * @param maxSize
  *   the most entries; 0: it is not used
  */
private[jelly] final class ByteLookup(table: String, maxSize: Int) {
  // Open addressing, of ids; there are twice as many places as entries, or more. The hash of each
  // stands beside it.
  private[this] var places = new Array[Int](128)
  private[this] var hashes = new Array[Int](places.length)
  private[this] var size = 0
  private[this] val order = new UseOrder
  // By id. What is often asked for stands in arrays of numbers: the entries themselves are mostly
  // too far from the processor. The stamp is 0 where there is no entry.
  private[this] var entries = new Array[LookupEntry](16)
  private[this] var hashOf = new Array[Int](16)
  private[this] var stampOf = new Array[Int](16)
  private[this] var usedIn = new Array[Long](16)
  private[this] var lastStamp = 0
  // The id that 0 stands for.
  private[this] var nextId = 1

  /** The id with which the entry that was added last is to be written: 0 where it is the one after
    * the last written.
    */
  var wireId: Int = 0

  /** The entry whose bytes are those from `from` to before `to`; null if there is none. */
  def find(bytes: Array[Byte], from: Int, to: Int, hash: Int): LookupEntry = {
    var place = hash & (places.length - 1)
    while (places(place) != 0 && !isAt(place, bytes, from, to, hash)) {
      place = place + 1 & (places.length - 1)
    }
    if (places(place) == 0) null else entries(places(place))
  }

  /** Whether an entry is here still. */
  def isHere(id: Int, stamp: Int): Boolean = stampOf(id) == stamp

  /** Notes that a row uses an entry. */
  def use(id: Int, row: Long): Unit = {
    usedIn(id) = row
    order.use(id)
  }

  /** Adds an entry that is not here, used by a row.
    *
    * @throws org.jellyspark.core.RefusedException
    *   if the row uses all entries
    */
  def add(bytes: Array[Byte], hash: Int, row: Long): LookupEntry = {
    val id = if (size < maxSize) size + 1 else evict(row)
    wireId = if (id == nextId) 0 else id
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
    entry
  }

  /** Forgets all entries. The next one is written with its id: a reader may begin there, or not. */
  def restart(): Unit = {
    while (order.oldest != 0) remove(order.oldest)
    nextId = 0
  }

  /** Makes room; answers the id that is free. */
  private def evict(row: Long): Int = {
    val oldest = order.oldest
    if (usedIn(oldest) == row) {
      refuse(s"the row needs more entries at once than the $table table of $maxSize holds")
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
    while (places(place) != 0) place = place + 1 & (places.length - 1)
    places(place) = id
    hashes(place) = hash
  }

  private def grow(): Unit = {
    val before = places
    places = new Array[Int](2 * before.length)
    hashes = new Array[Int](places.length)
    before.foreach(id => if (id != 0) place(id, hashOf(id)))
  }

  private def growEntries(capacity: Int): Unit = {
    entries = Arrays.copyOf(entries, capacity)
    hashOf = Arrays.copyOf(hashOf, capacity)
    stampOf = Arrays.copyOf(stampOf, capacity)
    usedIn = Arrays.copyOf(usedIn, capacity)
  }

  private def remove(id: Int): Unit = {
    stampOf(id) = 0
    order.remove(id)
    size -= 1
    val mask = places.length - 1
    var free = hashOf(id) & mask
    while (places(free) != id) free = free + 1 & mask
    // Entries that follow without a gap move up, unless that were before their own place.
    var i = free + 1 & mask
    while (places(i) != 0) {
      val own = hashes(i) & mask
      if ((i - own & mask) >= (i - free & mask)) {
        places(free) = places(i)
        hashes(free) = hashes(i)
        free = i
      }
      i = i + 1 & mask
    }
    places(free) = 0
  }
}
