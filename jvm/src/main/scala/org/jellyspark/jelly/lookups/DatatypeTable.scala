package org.jellyspark.jelly.lookups

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

  /** The entries. Set them with [[set]]. */
  val entries: EntryTable = new EntryTable("datatype", size, isRestart, space)

  // By id, as created by the factory. Null for an entry that is not set, or is long: a long one is
  // created again for each literal, because its text may be several times as long as the entry.
  private[this] var datatypes = Array(factory.noDatatype)

  /** Sets an entry. `id` must come from [[entries]]. */
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
    *   if it is not set
    */
  def check(id: Int): Unit = {
    if (id == NoDatatype) malformed("a datatype id of at least 1", "id 0")
    if (!entries.isSet(id)) entries.refuse(id)
  }

  /** The datatype of an entry that is set, or of [[DatatypeTable.NoDatatype]], as created by the
    * factory.
    */
  def datatype(id: Int): AnyRef = {
    val kept = datatypes(id)
    if (kept != null) kept
    else {
      val start = entries.startOf(id)
      make(entries.bytes, start, start + entries.lengthOf(id))
    }
  }

  /** Like [[datatype]], but for any id; null if there is no such entry, or the entry is long or not
    * set.
    */
  def found(id: Int): AnyRef =
    if (id > NoDatatype && id < datatypes.length) datatypes(id) else null

  private def make(bytes: Array[Byte], from: Int, to: Int): AnyRef =
    if (isXsdString(bytes, from, to)) factory.noDatatype else factory.datatype(bytes, from, to)
}

private[jelly] object DatatypeTable {

  /** Stands for the id of a literal without a datatype. */
  final val NoDatatype = 0

  private final val FirstCapacity = 16
  // The longest entry for which the datatype is kept, in bytes.
  private final val MaxKept = 1 << 12

  private val XsdString = Literal.XsdString.getBytes(UTF_8)

  private def isXsdString(bytes: Array[Byte], from: Int, to: Int): Boolean =
    Arrays.equals(XsdString, 0, XsdString.length, bytes, from, to)
}
