package org.jellyspark.jelly

import java.util.Arrays

import org.jellyspark.core.RefusedException.refuse

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
  // Open addressing; there are twice as many places as entries, or more. The hash of each stands
  // beside it.
  private[this] var places = new Array[LookupEntry](128)
  private[this] var hashes = new Array[Int](places.length)
  private[this] var size = 0
  // By id.
  private[this] var entries = new Array[LookupEntry](16)
  private[this] val order = new UseOrder
  // The id that 0 stands for.
  private[this] var nextId = 1

  /** The id with which the entry that was added last is to be written: 0 where it is the one after
    * the last written.
    */
  var wireId: Int = 0

  /** The entry whose bytes are those from `from` to before `to`; null if there is none. */
  def find(bytes: Array[Byte], from: Int, to: Int, hash: Int): LookupEntry = {
    var place = hash & (places.length - 1)
    while ((places(place) ne null) && !isAt(place, bytes, from, to, hash)) {
      place = place + 1 & (places.length - 1)
    }
    places(place)
  }

  /** Notes that a row uses an entry. */
  def use(entry: LookupEntry, row: Long): Unit = {
    entry.usedIn = row
    order.use(entry.id)
  }

  /** Adds an entry that is not here, used by a row.
    *
    * @throws org.jellyspark.core.RefusedException
    *   if the row uses all entries
    */
  def add(bytes: Array[Byte], hash: Int, row: Long): LookupEntry = {
    val entry = new LookupEntry(bytes, hash, if (size < maxSize) size + 1 else evict(row))
    wireId = if (entry.id == nextId) 0 else entry.id
    nextId = entry.id + 1
    size += 1
    if (2 * size > places.length) grow()
    place(entry)
    if (entry.id >= entries.length) entries = Arrays.copyOf(entries, 2 * entry.id)
    entries(entry.id) = entry
    entry.usedIn = row
    order.add(entry.id)
    entry
  }

  /** Forgets all entries. The next one is written with its id: a reader may begin there, or not. */
  def restart(): Unit = {
    while (order.oldest != 0) remove(entries(order.oldest))
    nextId = 0
  }

  /** Makes room; answers the id that is free. */
  private def evict(row: Long): Int = {
    val oldest = entries(order.oldest)
    if (oldest.usedIn == row) {
      refuse(s"the row needs more entries at once than the $table table of $maxSize holds")
    }
    remove(oldest)
    oldest.id
  }

  private def isAt(place: Int, bytes: Array[Byte], from: Int, to: Int, hash: Int): Boolean =
    hashes(place) == hash && {
      val found = places(place).bytes
      Arrays.equals(found, 0, found.length, bytes, from, to)
    }

  private def place(entry: LookupEntry): Unit = {
    var place = entry.hash & (places.length - 1)
    while (places(place) ne null) place = place + 1 & (places.length - 1)
    places(place) = entry
    hashes(place) = entry.hash
  }

  private def grow(): Unit = {
    val before = places
    places = new Array[LookupEntry](2 * before.length)
    hashes = new Array[Int](places.length)
    before.foreach(entry => if (entry ne null) place(entry))
  }

  private def remove(entry: LookupEntry): Unit = {
    entry.isHere = false
    order.remove(entry.id)
    size -= 1
    val mask = places.length - 1
    var free = entry.hash & mask
    while (places(free) ne entry) free = free + 1 & mask
    // Entries that follow without a gap move up, unless that were before their own place.
    var i = free + 1 & mask
    while (places(i) ne null) {
      val own = hashes(i) & mask
      if ((i - own & mask) >= (i - free & mask)) {
        places(free) = places(i)
        hashes(free) = hashes(i)
        free = i
      }
      i = i + 1 & mask
    }
    places(free) = null
  }
}
