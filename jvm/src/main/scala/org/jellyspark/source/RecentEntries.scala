package org.jellyspark.source

import java.util.Arrays

import org.jellyspark.core.bytes.ByteHash

/** A direct-mapped cache of what a [[org.jellyspark.core.terms.TermFactory]] makes from the bytes
  * of lookup entries. It is small and keeps no long entries, so it takes a few kilobytes at most.
  *
  * {{{
  * val slot = cache.slotOf(bytes, from, to)
  * var value = cache.get(slot, bytes, from, to)
  * if (value == null) {
  *   value = make(bytes, from, to)
  *   cache.put(slot, bytes, from, to, value)
  * }
  * }}}
  */
private[source] final class RecentEntries[A >: Null <: AnyRef] {
  import RecentEntries._

  private[this] val entries = Array.fill(Slots)(NoBytes)
  private[this] val values = new Array[AnyRef](Slots)

  /** The slot of an entry. */
  def slotOf(bytes: Array[Byte], from: Int, to: Int): Int =
    if (to - from > MaxLength) NoSlot else ByteHash.of(bytes, from, to) & Slots - 1

  /** The value of an entry; null if it is not in its slot. */
  def get(slot: Int, bytes: Array[Byte], from: Int, to: Int): A =
    if (slot != NoSlot && Arrays.equals(entries(slot), 0, entries(slot).length, bytes, from, to))
      values(slot).asInstanceOf[A]
    else null

  /** Puts an entry into its slot, unless it is long. */
  def put(slot: Int, bytes: Array[Byte], from: Int, to: Int, value: A): Unit =
    if (slot != NoSlot) {
      entries(slot) = Arrays.copyOfRange(bytes, from, to)
      values(slot) = value
    }
}

private object RecentEntries {
  private final val Slots = 1 << 5
  private final val MaxLength = 256 // bytes
  // Stands for the slot of a long entry.
  private final val NoSlot = -1
  private val NoBytes = Array.emptyByteArray
}
