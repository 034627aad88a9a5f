package org.jellyspark.jelly.encoding

import java.util.Arrays

/** The ids of a lookup in LRU order, from the least to the most recently used.
  *
  * It is an intrusive doubly linked list in two arrays: the nodes are the ids themselves, 1 and up,
  * and the arrays hold each id's neighbors. Id 0 is the sentinel, which joins the ends to a ring,
  * so that no operation needs a case for an end. The invariant, for 0 and all ids in the list:
  * `newer(older(id)) == id` and `older(newer(id)) == id`.
  *
  * Nearly every term that is written changes the order. With node objects each change would store
  * references into old objects, which triggers the garbage collector's write barrier; numbers do
  * not.
  */
private[jelly] final class LruList {
  import LruList.Sentinel

  private[this] var newer = new Array[Int](16)
  private[this] var older = new Array[Int](16)

  /** The least recently used id; [[LruList.Sentinel]] if the list is empty. */
  def oldest: Int = newer(Sentinel)

  /** Makes an id that is in the list the most recently used. */
  def use(id: Int): Unit = if (older(Sentinel) != id) {
    remove(id)
    link(id)
  }

  /** Adds an id that is not in the list, as the most recently used. */
  def add(id: Int): Unit = {
    if (id >= newer.length) {
      newer = Arrays.copyOf(newer, 2 * id)
      older = Arrays.copyOf(older, 2 * id)
    }
    link(id)
  }

  /** Removes an id that is in the list. */
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
