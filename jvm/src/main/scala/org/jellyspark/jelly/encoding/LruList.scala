package org.jellyspark.jelly.encoding

import java.util.Arrays

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
private[jelly] final class LruList {
  import LruList.Sentinel

  private[this] var newer = new Array[Int](16)
  private[this] var older = new Array[Int](16)

  /** The least recently used id; [[LruList.Sentinel]] if the list is empty. */
  def oldest: Int = newer(Sentinel)

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

private[jelly] object LruList {
  final val Sentinel = 0
}
