package org.jellyspark.jelly.decoding

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.core.terms.{Literal, TermFactory}

/** A reader's lookup of datatypes. */
private[jelly] final class DatatypeTable(size: Int, isRestart: Boolean, factory: TermFactory) {
  private[this] val entries = new EntryTable("datatype", size, isRestart)
  // By id, what the factory made of it, null where there is none; 0 is no datatype.
  private[this] var datatypes = Array(factory.noDatatype)

  /** The id of an entry that comes with this one on the wire.
    *
    * @throws MalformedRowException
    *   if there is no such entry
    */
  def idOf(wireId: Int): Int = entries.idOf(wireId)

  /** Sets an entry, with an id that [[idOf]] gave. */
  def set(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    entries.set(id, bytes, from, to)
    if (id >= datatypes.length) datatypes = Arrays.copyOf(datatypes, math.max(2 * id, 16))
    val isString = new String(bytes, from, to - from, UTF_8) == Literal.XsdString
    datatypes(id) =
      if (isString) factory.noDatatype else factory.datatype(bytes, from, to)
  }

  /** Checks that an entry is set.
    *
    * @throws MalformedRowException
    *   if it is not
    */
  def check(id: Int): Unit = {
    if (id == 0) malformed("a datatype id", "id 0")
    if (!entries.isSet(id)) entries.refuse(id)
  }

  /** What the factory made of an entry that is set, or for 0 of no datatype. */
  def datatype(id: Int): AnyRef = datatypes(id)

  /** What the factory made of an entry; null if it is not set. */
  def found(id: Int): AnyRef = if (id > 0 && id < datatypes.length) datatypes(id) else null
}
