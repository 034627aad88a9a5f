package org.jellyspark.jelly.decoding

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.core.terms.{Literal, TermFactory}

/** A reader's lookup table of datatypes. */
private[jelly] final class DatatypeTable(
    size: Int,
    isRestart: Boolean,
    factory: TermFactory,
    space: EntrySpace
) {
  import DatatypeTable._

  private[this] val entries = new EntryTable("datatype", size, isRestart, space)
  // By id, as the factory made them; null for an entry that is not set, or long: that is made anew
  // for each literal, as its text may have several times the bytes.
  private[this] var datatypes = Array(factory.noDatatype)

  /** The id of an entry.
    *
    * @param encodedId
    *   the id on the wire, where 0 means the previous one plus 1
    * @throws MalformedRowException
    *   if the table has no such entry
    */
  def idOf(encodedId: Int): Int = entries.idOf(encodedId)

  /** Sets an entry, with an id that [[idOf]] returned. */
  def set(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    entries.set(id, bytes, from, to)
    if (id >= datatypes.length) {
      datatypes = Arrays.copyOf(datatypes, math.max(2 * id, FirstCapacity))
    }
    datatypes(id) = if (to - from > MaxKept) null else make(bytes, from, to)
  }

  /** Removes all entries. */
  def restart(): Unit = {
    entries.restart()
    Arrays.fill(datatypes, NoDatatype + 1, datatypes.length, null)
  }

  /** Checks that an entry is set.
    *
    * @throws MalformedRowException
    *   if it is not
    */
  def check(id: Int): Unit = {
    if (id == NoDatatype) malformed("a datatype id of at least 1", "id 0")
    if (!entries.isSet(id)) entries.refuse(id)
  }

  /** The datatype of an entry that is set, or of [[DatatypeTable.NoDatatype]], as the factory made
    * it.
    */
  def datatype(id: Int): AnyRef = {
    val kept = datatypes(id)
    if (kept != null) kept
    else {
      val start = entries.startOf(id)
      make(entries.bytes, start, start + entries.lengthOf(id))
    }
  }

  /** As [[datatype]], of any id; null if there is no such entry, or it is long or not set. */
  def found(id: Int): AnyRef =
    if (id > NoDatatype && id < datatypes.length) datatypes(id) else null

  private def make(bytes: Array[Byte], from: Int, to: Int): AnyRef =
    if (isXsdString(bytes, from, to)) factory.noDatatype else factory.datatype(bytes, from, to)
}

private[jelly] object DatatypeTable {

  /** In place of an id: a literal without a datatype. */
  final val NoDatatype = 0

  private final val FirstCapacity = 16
  // In bytes.
  private final val MaxKept = 1 << 12

  private val XsdString = Literal.XsdString.getBytes(UTF_8)

  private def isXsdString(bytes: Array[Byte], from: Int, to: Int): Boolean =
    Arrays.equals(XsdString, 0, XsdString.length, bytes, from, to)
}
