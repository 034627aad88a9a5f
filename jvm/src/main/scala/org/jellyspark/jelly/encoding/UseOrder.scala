package org.jellyspark.jelly.encoding

import java.util.Arrays

/** The ids of a lookup in the order in which they were used last. A ring in arrays of numbers, as
  * it changes with nearly every term: to store references would be work for the garbage collector.
  */
private[jelly] final class UseOrder {
  // By id; 0 stands between the newest and the oldest.
  private[this] var newer = new Array[Int](16)
  private[this] var older = new Array[Int](16)

  /** The id that was used longest ago; 0 if there is none. */
  def oldest: Int = newer(0)

  /** Notes that an id is used which is here. */
  def use(id: Int): Unit = if (older(0) != id) {
    remove(id)
    link(id)
  }

  /** Adds an id that is used. */
  def add(id: Int): Unit = {
    if (id >= newer.length) {
      newer = Arrays.copyOf(newer, 2 * id)
      older = Arrays.copyOf(older, 2 * id)
    }
    link(id)
  }

  def remove(id: Int): Unit = {
    newer(older(id)) = newer(id)
    older(newer(id)) = older(id)
  }

  private def link(id: Int): Unit = {
    val newest = older(0)
    newer(newest) = id
    older(id) = newest
    newer(id) = 0
    older(0) = id
  }
}
