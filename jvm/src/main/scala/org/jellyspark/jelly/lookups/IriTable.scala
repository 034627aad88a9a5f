package org.jellyspark.jelly.lookups

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.core.terms.TermFactory

/** A reader's lookup tables of prefixes and names, with a cache of the IRIs composed from them.
  *
  * Most names occur with a single prefix, so the cache holds one IRI per name. Two counters tell
  * whether an entry of the cache is outdated, so that replacing a lookup entry requires no search
  * for what depends on it:
  *
  *   - Every prefix entry that is set gets a new version. The cache of a name records the version
  *     of its IRI's prefix, and setting a name entry clears that record. So the cached IRI is
  *     composed of a given prefix and name if and only if the recorded version is the current
  *     version of the prefix.
  *   - Every IRI that enters the cache gets a new stamp, so different IRIs never have the same
  *     stamp. Facts about an IRI, such as whether it passes a filter, are recorded by its stamp.
  *
  * Stamps never repeat, because they are 64-bit counters. Versions, which most rows read, are
  * 32-bit: after 2^31^ prefixes they start over with an empty cache.
  *
  * @param space
  *   limits the size of the entries
  * @param lastStamp
  *   the stamp to continue from; for tests
  * @param lastVersion
  *   the version to continue from; for tests
  */
private[jelly] final class IriTable(
    prefixSize: Int,
    nameSize: Int,
    isRestart: Boolean,
    factory: TermFactory,
    space: EntrySpace,
    private[this] var lastStamp: Long = 0,
    private[this] var lastVersion: Int = IriTable.FirstVersion
) {
  import EntryTable.NoLast
  import IriTable._

  /** The prefix entries. Set them with [[setPrefix]]. */
  val prefixes: EntryTable = new EntryTable("prefix", prefixSize, isRestart, space)

  /** The name entries. Set them with [[setName]]. */
  val names: EntryTable = new EntryTable("name", nameSize, isRestart, space)

  // By prefix id, where 0 stands for no prefix: the version, from 1; 0 if the entry is not set.
  private[this] var versions = Array(FirstVersion)
  // By prefix id, as created by the factory.
  private[this] var starts = Array(factory.noPrefix)

  // By name id: the version of the cached IRI's prefix, or NotSet or NoPrefixYet; the cached IRI,
  // null until it is requested; and its stamp, from 1.
  private[this] var versionOf = Array(NotSet)
  private[this] var iris = new Array[AnyRef](1)
  private[this] var stamps = new Array[Long](1)
  // The approximate size of the cached IRIs, in bytes.
  private[this] var cached = 0L

  // The ids of the last IRI, to which those of the next one are relative, and the ids at the last
  // mark.
  private[this] var prefix = if (isRestart && prefixSize > 0) NoLast else 0
  private[this] var name = if (isRestart) NoLast else 0
  private[this] var markedPrefix = prefix
  private[this] var markedName = name

  /** The prefix id of the last IRI; 0 if it has no prefix. */
  def lastPrefix: Int = prefix

  /** The name id of the last IRI. */
  def lastName: Int = name

  /** Saves the ids of the last IRI before a row, for [[reset]]. */
  def mark(): Unit = {
    markedPrefix = prefix
    markedName = name
  }

  /** Restores the ids of the last [[mark]], so that the row can be read again. */
  def reset(): Unit = {
    prefix = markedPrefix
    name = markedName
  }

  /** Sets a prefix entry. `id` must come from [[prefixes]]. */
  def setPrefix(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    prefixes.set(id, bytes, from, to)
    if (id >= versions.length) {
      versions = Arrays.copyOf(versions, math.max(2 * id, FirstPrefixes))
      starts = Arrays.copyOf(starts, versions.length)
    }
    if (lastVersion == Int.MaxValue) renumber()
    lastVersion += 1
    versions(id) = lastVersion
    starts(id) = factory.prefix(bytes, from, to)
  }

  /** Sets a name entry. `id` must come from [[names]]. */
  def setName(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    names.set(id, bytes, from, to)
    if (id >= iris.length) grow(math.max(2 * id, FirstNames))
    versionOf(id) = NoPrefixYet
  }

  /** Makes an IRI the last one (Jelly-RDF, "IRIs").
    *
    * @param prefixId
    *   the prefix id in the file, where 0 means the previous one
    * @param nameId
    *   the name id in the file, where 0 means the previous one plus 1
    * @throws MalformedRowException
    *   if there are no such entries
    */
  def refer(prefixId: Int, nameId: Int): Unit = {
    if (!refers(prefixId, nameId)) {
      val prefix = if (prefixId == 0) this.prefix else prefixId
      if (prefixId == 0 && prefix == NoLast) refuseRelative("prefix")
      if (prefix != 0 && !prefixes.isSet(prefix)) prefixes.refuse(prefix)
      if (nameId == 0 && name == NoLast) refuseRelative("name")
      names.refuse(if (nameId == 0) name + 1 else nameId)
    }
  }

  /** Like [[refer]], but if there are no such entries, returns false and changes nothing. */
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

  /** Like [[refers]], but returns the IRI, or null if there are no such entries. */
  def referred(prefixId: Int, nameId: Int): AnyRef = {
    val prefix = if (prefixId == 0) this.prefix else prefixId
    val name = if (nameId == 0) this.name + 1 else nameId
    // A cached IRI implies that both entries are set.
    val isCached = prefix >= 0 && prefix < versions.length && name >= 0 &&
      name < versionOf.length && versionOf(name) == versions(prefix) && iris(name) != null
    if (isCached) {
      this.prefix = prefix
      this.name = name
      iris(name)
    } else if (refers(prefixId, nameId)) iri(this.prefix, this.name)
    else null
  }

  /** The IRI composed of two entries that are set, as created by the factory. Prefix 0 stands for
    * no prefix.
    */
  def iri(prefix: Int, name: Int): AnyRef = {
    combine(prefix, name)
    val cached = iris(name)
    if (cached == null) make(prefix, name) else cached
  }

  /** The stamp of the IRI composed of two entries that are set. */
  def stamp(prefix: Int, name: Int): Long = {
    combine(prefix, name)
    stamps(name)
  }

  /** The IRI composed of two entries that are set, without angle brackets and escapes. */
  def text(prefix: Int, name: Int): String = {
    val start = if (prefix == 0) "" else textOf(prefixes, prefix)
    start + textOf(names, name)
  }

  /** Continues the cache in a new array, for the same reason as `HeldTerms.renew`. */
  def renew(): Unit = if (iris.length <= MaxRenewed) iris = iris.clone()

  /** Removes all entries, and begins another stream. The counters continue. */
  def restart(): Unit = {
    prefixes.restart()
    names.restart()
    space.restart()
    if (versions.length > EntryTable.KeptEntries) {
      versions = Array(FirstVersion)
      starts = Array(factory.noPrefix)
    } else {
      Arrays.fill(versions, 1, versions.length, 0)
      Arrays.fill(starts, 1, starts.length, null)
    }
    if (versionOf.length > EntryTable.KeptEntries) {
      versionOf = Array(NotSet)
      stamps = new Array[Long](1)
    } else Arrays.fill(versionOf, NotSet)
    // A new array, for the same reason as in `renew`.
    iris = new Array[AnyRef](versionOf.length)
    cached = 0
    prefix = if (isRestart && prefixSize > 0) NoLast else 0
    name = if (isRestart) NoLast else 0
    mark()
  }

  private def textOf(entries: EntryTable, id: Int): String =
    new String(entries.bytes, entries.startOf(id), entries.lengthOf(id), UTF_8)

  /** Associates the cache of a name with its IRI for this prefix. */
  private def combine(prefix: Int, name: Int): Unit =
    if (versionOf(name) != versions(prefix)) {
      versionOf(name) = versions(prefix)
      iris(name) = null
      lastStamp += 1
      stamps(name) = lastStamp
    }

  private def make(prefix: Int, name: Int): AnyRef = {
    val start = names.startOf(name)
    val before = factory.made
    val iri = factory.iri(starts(prefix), names.bytes, start, start + names.lengthOf(name))
    iris(name) = iri
    cached += factory.made - before
    if (cached > MaxCached) shrink()
    iri
  }

  /** Recounts the bytes of the cached IRIs, because some have left the cache, and empties the cache
    * if it is too large.
    */
  private def shrink(): Unit = {
    cached = 0
    iris.foreach(iri => if (iri != null) cached += factory.size(iri))
    if (cached > MaxCached / 2) {
      Arrays.fill(iris, null)
      cached = 0
    }
  }

  /** Gives the prefixes that are set the first versions, and empties the cache. */
  private def renumber(): Unit = {
    lastVersion = FirstVersion
    (1 until versions.length).foreach { id =>
      if (versions(id) > 0) {
        lastVersion += 1
        versions(id) = lastVersion
      }
    }
    versionOf.indices.foreach(id => if (versionOf(id) != NotSet) versionOf(id) = NoPrefixYet)
  }

  private def grow(capacity: Int): Unit = {
    val old = versionOf.length
    versionOf = Arrays.copyOf(versionOf, capacity)
    Arrays.fill(versionOf, old, capacity, NotSet)
    iris = Arrays.copyOf(iris, capacity)
    stamps = Arrays.copyOf(stamps, capacity)
  }

  private def refuseRelative(table: String): Nothing =
    malformed(s"an explicit $table id ${EntryTable.After}", "id 0")
}

private object IriTable {
  private final val FirstVersion = 1

  /** Stands for the version of a name's prefix if the name entry is not set. */
  private final val NotSet = -2

  /** Stands for the version of a name's prefix if nothing is cached. */
  private final val NoPrefixYet = -1

  // Initial capacities, in entries.
  private final val FirstPrefixes = 16
  private final val FirstNames = 64

  /** The largest cache for which a copy per batch costs less than the write barriers, in entries.
    */
  private final val MaxRenewed = 1 << 14

  /** The limit for the total size of the cached IRIs, in bytes. */
  private final val MaxCached = 1L << 24
}
