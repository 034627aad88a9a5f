package org.jellyspark.jelly.decoding

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.core.terms.TermFactory

/** A reader's lookups of prefixes and names, and the IRIs that they make: each is made once as long
  * as its entries stay and its name comes with the same prefix.
  */
private[jelly] final class IriTable(
    prefixSize: Int,
    nameSize: Int,
    isRestart: Boolean,
    factory: TermFactory
) {
  import EntryTable.NoLast
  import IriTable._

  private[this] val prefixes = new EntryTable("prefix", prefixSize, isRestart)
  private[this] val names = new EntryTable("name", nameSize, isRestart)

  // By prefix id, of which 0 is no prefix: a number that no other entry has had; 0 where there is
  // none.
  private[this] var versions = Array(FirstVersion)
  private[this] var lastVersion = FirstVersion
  // By prefix id, what the factory made of it.
  private[this] var starts = Array(factory.noPrefix)

  // By name id: the version of the prefix that it stood with last, or what follows; the IRI of the
  // two, null if it was not asked for; and a number that no other IRI has had.
  private[this] var versionOf = Array(NotSet)
  private[this] var iris = new Array[AnyRef](1)
  private[this] var stamps = new Array[Int](1)
  private[this] var lastStamp = 0

  // The ids of the last IRI, and those at the last mark.
  private[this] var prefix = if (isRestart && prefixSize > 0) NoLast else 0
  private[this] var name = if (isRestart) NoLast else 0
  private[this] var markedPrefix = prefix
  private[this] var markedName = name

  /** The ids of the IRI that [[refer]] was last asked for. */
  def lastPrefix: Int = prefix

  def lastName: Int = name

  /** Keeps the last ids in mind, for [[reset]]. */
  def mark(): Unit = {
    markedPrefix = prefix
    markedName = name
  }

  /** The last ids are again those at the last [[mark]]. */
  def reset(): Unit = {
    prefix = markedPrefix
    name = markedName
  }

  /** The id of a prefix entry that comes with this one on the wire.
    *
    * @throws MalformedRowException
    *   if there is no such entry
    */
  def prefixIdOf(wireId: Int): Int = prefixes.idOf(wireId)

  /** As [[prefixIdOf]], of a name entry. */
  def nameIdOf(wireId: Int): Int = names.idOf(wireId)

  /** As [[nameIdOf]]; 0 if there is no such entry. */
  def nextName(wireId: Int): Int = names.next(wireId)

  /** Sets a prefix entry, with an id that [[prefixIdOf]] gave. */
  def setPrefix(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    prefixes.set(id, bytes, from, to)
    if (id >= versions.length) {
      versions = Arrays.copyOf(versions, math.max(2 * id, 16))
      starts = Arrays.copyOf(starts, versions.length)
    }
    lastVersion += 1
    versions(id) = lastVersion
    starts(id) = factory.prefix(bytes, from, to)
  }

  /** As [[setPrefix]], of a name entry. */
  def setName(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    names.set(id, bytes, from, to)
    if (id >= iris.length) grow(math.max(2 * id, 64))
    versionOf(id) = NoPrefixYet
  }

  /** Takes the ids of an IRI on the wire (Jelly-RDF, "IRIs"); they are the last ones then.
    *
    * @throws MalformedRowException
    *   if there are no such entries
    */
  def refer(prefixId: Int, nameId: Int): Unit = {
    if (!refers(prefixId, nameId)) {
      if (prefixId != 0) prefix = prefixId
      if (prefix != 0 && !prefixes.isSet(prefix)) refusePrefix()
      refuseName(if (nameId == 0) name + 1 else nameId)
    }
  }

  /** As [[refer]]; false, and no more, if there are no such entries. */
  def refers(prefixId: Int, nameId: Int): Boolean = {
    val prefix = if (prefixId == 0) this.prefix else prefixId
    val name = if (nameId == 0) this.name + 1 else nameId
    val areSet = prefix >= 0 && prefix < versions.length && versions(prefix) > 0 &&
      name >= 0 && name < versionOf.length && versionOf(name) != NotSet
    if (areSet) {
      this.prefix = prefix
      this.name = name
    }
    areSet
  }

  /** As [[refers]], and the IRI of the two; null if there are no such entries. */
  def referred(prefixId: Int, nameId: Int): AnyRef = {
    val prefix = if (prefixId == 0) this.prefix else prefixId
    val name = if (nameId == 0) this.name + 1 else nameId
    // Entries that stand together already are set.
    val isKnown = prefix >= 0 && prefix < versions.length && name >= 0 &&
      name < versionOf.length && versionOf(name) == versions(prefix) && iris(name) != null
    if (isKnown) {
      this.prefix = prefix
      this.name = name
      iris(name)
    } else if (refers(prefixId, nameId)) iri(this.prefix, this.name)
    else null
  }

  /** The IRI of two entries that are set; prefix 0 is none. */
  def iri(prefix: Int, name: Int): AnyRef = {
    combine(prefix, name)
    val known = iris(name)
    if (known == null) make(prefix, name) else known
  }

  /** A number that stands for the IRI of two entries, and for no other. */
  def stamp(prefix: Int, name: Int): Int = {
    combine(prefix, name)
    stamps(name)
  }

  /** The text of an IRI. */
  def text(prefix: Int, name: Int): String = {
    val start = if (prefix == 0) "" else textOf(prefixes, prefix)
    start + textOf(names, name)
  }

  /** Has a new array hold the IRIs: the garbage collector makes it dear to store a new object in
    * one that is old.
    */
  def renew(): Unit = if (iris.length <= MaxRenewed) iris = iris.clone()

  private def textOf(entries: EntryTable, id: Int): String =
    new String(entries.bytes, entries.startOf(id), entries.lengthOf(id), UTF_8)

  private def combine(prefix: Int, name: Int): Unit =
    if (versionOf(name) != versions(prefix)) {
      versionOf(name) = versions(prefix)
      iris(name) = null
      lastStamp += 1
      stamps(name) = lastStamp
    }

  private def make(prefix: Int, name: Int): AnyRef = {
    val start = names.startOf(name)
    val iri = factory.iri(starts(prefix), names.bytes, start, start + names.lengthOf(name))
    iris(name) = iri
    iri
  }

  private def grow(capacity: Int): Unit = {
    val old = versionOf.length
    versionOf = Arrays.copyOf(versionOf, capacity)
    Arrays.fill(versionOf, old, capacity, NotSet)
    iris = Arrays.copyOf(iris, capacity)
    stamps = Arrays.copyOf(stamps, capacity)
  }

  private def refusePrefix(): Nothing = {
    if (prefix == NoLast) malformed(s"a prefix id, ${EntryTable.After}", "id 0")
    prefixes.refuse(prefix)
  }

  private def refuseName(name: Int): Nothing = {
    if (name == NoLast + 1) malformed(s"a name id, ${EntryTable.After}", "id 0")
    names.refuse(name)
  }
}

private object IriTable {
  private final val FirstVersion = 1
  // In place of a version.
  private final val NotSet = -2
  private final val NoPrefixYet = -1
  // To copy more would be dearer.
  private final val MaxRenewed = 1 << 14
}
