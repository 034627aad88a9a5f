package org.jellyspark.jelly

import org.jellyspark.core.MalformedRowException.malformed

/** Which ids of a lookup have been set. */
private[jelly] final class LookupGuard(table: String, val size: Int) {
  import Malformed.unsigned

  private[this] val isSet = new java.util.BitSet
  private[this] var lastSet = 0

  /** An entry comes, with the id that it has on the wire. */
  def set(wireId: Int): Unit = {
    lastSet = if (wireId == 0) lastSet + 1 else wireId
    if (lastSet < 1 || lastSet > size) {
      malformed(s"a $table entry with an id up to $size", s"id ${unsigned(lastSet)}")
    }
    isSet.set(lastSet)
  }

  /** A term refers to an entry. */
  def checkReference(id: Int): Unit = {
    if (id < 1 || id > size) malformed(s"a $table id up to $size", s"id ${unsigned(id)}")
    if (!isSet.get(id)) malformed(s"a $table id that was set before", s"id $id")
  }
}
