package org.jellyspark.jelly.decoding

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.core.terms.TermFactory

/** A reader's lookup tables of prefixes and names, and a cache of the IRIs that they make.
  *
  * A name mostly comes with the same prefix, so the cache has one IRI per name. Two counters tell
  * when it is out of date, without a search for what depends on a replaced entry:
  *   - Every prefix entry that is set gets a new version. The cache of a name notes the version of
  *     the prefix that its IRI begins with, and setting a name entry clears that note. So the
  *     cached IRI is the one of a prefix and a name if, and only if, the name's note is the current
  *     version of the prefix.
  *   - Every IRI that enters the cache gets a new stamp: two IRIs that differ never have the same
  *     stamp. Whatever is known of an IRI, as whether it passes a filter, is known by its stamp.
  *
  * No number comes again: stamps count up in 64 bits, and versions, which most rows read, begin
  * anew after 2^31^ prefixes, with an empty cache.
  *
  * @param space
  *   bounds the bytes of the entries
  * @param lastStamp
  *   where the stamps continue: tests set it
  * @param lastVersion
  *   where the versions continue: tests set it
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

  private[this] val prefixes = new EntryTable("prefix", prefixSize, isRestart, space)
  private[this] val names = new EntryTable("name", nameSize, isRestart, space)

  // By prefix id, where 0 is no prefix: the version, from 1; 0 for an entry that is not set.
  private[this] var versions = Array(FirstVersion)
  // By prefix id, as the factory made it.
  private[this] var starts = Array(factory.noPrefix)

  // By name id: the version of the cached IRI's prefix, or NotSet or NoPrefixYet; the cached IRI,
  // null until it is asked for; and its stamp, from 1.
  private[this] var versionOf = Array(NotSet)
  private[this] var iris = new Array[AnyRef](1)
  private[this] var stamps = new Array[Long](1)
  // About how many bytes the cached IRIs have.
  private[this] var cached = 0L

  // The ids of the last IRI, to which the next one is relative, and those at the last mark.
  private[this] var prefix = if (isRestart && prefixSize > 0) NoLast else 0
  private[this] var name = if (isRestart) NoLast else 0
  private[this] var markedPrefix = prefix
  private[this] var markedName = name

  /** The prefix id of the last IRI; 0 for no prefix. */
  def lastPrefix: Int = prefix

  /** The name id of the last IRI. */
  def lastName: Int = name

  /** Saves the ids of the last IRI before a row, for [[reset]]. */
  def mark(): Unit = {
    markedPrefix = prefix
    markedName = name
  }

  /** Restores the ids of the last [[mark]], to read the row again. */
  def reset(): Unit = {
    prefix = markedPrefix
    name = markedName
  }

  /** The id of a prefix entry.
    *
    * @param encodedId
    *   the id on the wire, where 0 means the previous one plus 1
    * @throws MalformedRowException
    *   if the table has no such entry
    */
  def prefixIdOf(encodedId: Int): Int = prefixes.idOf(encodedId)

  /** As [[prefixIdOf]], of a name entry. */
  def nameIdOf(encodedId: Int): Int = names.idOf(encodedId)

  /** As [[nameIdOf]]; [[EntryTable.NoEntry]] if the table has no such entry. */
  def nextName(encodedId: Int): Int = names.next(encodedId)

  /** Sets a prefix entry, with an id that [[prefixIdOf]] returned. */
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

  /** Sets a name entry, with an id that [[nameIdOf]] or [[nextName]] returned. */
  def setName(id: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    names.set(id, bytes, from, to)
    if (id >= iris.length) grow(math.max(2 * id, FirstNames))
    versionOf(id) = NoPrefixYet
  }

  /** Makes an IRI the last one (Jelly-RDF, "IRIs").
    *
    * @param prefixId
    *   the prefix id on the wire, where 0 means the previous one
    * @param nameId
    *   the name id on the wire, where 0 means the previous one plus 1
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

  /** As [[refer]]; returns false, and changes nothing, if there are no such entries. */
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

  /** As [[refers]]; returns the IRI, or null if there are no such entries. */
  def referred(prefixId: Int, nameId: Int): AnyRef = {
    val prefix = if (prefixId == 0) this.prefix else prefixId
    val name = if (nameId == 0) this.name + 1 else nameId
    // A cached IRI proves that both entries are set.
    val isCached = prefix >= 0 && prefix < versions.length && name >= 0 &&
      name < versionOf.length && versionOf(name) == versions(prefix) && iris(name) != null
    if (isCached) {
      this.prefix = prefix
      this.name = name
      iris(name)
    } else if (refers(prefixId, nameId)) iri(this.prefix, this.name)
    else null
  }

  /** The IRI of two entries that are set, as the factory made it; prefix 0 is no prefix. */
  def iri(prefix: Int, name: Int): AnyRef = {
    combine(prefix, name)
    val cached = iris(name)
    if (cached == null) make(prefix, name) else cached
  }

  /** The stamp of the IRI of two entries that are set. */
  def stamp(prefix: Int, name: Int): Long = {
    combine(prefix, name)
    stamps(name)
  }

  /** The IRI of two entries that are set, without brackets or escapes. */
  def text(prefix: Int, name: Int): String = {
    val start = if (prefix == 0) "" else textOf(prefixes, prefix)
    start + textOf(names, name)
  }

  /** Continues the cache in a new array, as [[HeldTerms.renew]]. */
  def renew(): Unit = if (iris.length <= MaxRenewed) iris = iris.clone()

  /** Removes all entries, and begins another stream. The counters go on. */
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
    // A new array, as with `renew`.
    iris = new Array[AnyRef](versionOf.length)
    cached = 0
    prefix = if (isRestart && prefixSize > 0) NoLast else 0
    name = if (isRestart) NoLast else 0
    mark()
  }

  private def textOf(entries: EntryTable, id: Int): String =
    new String(entries.bytes, entries.startOf(id), entries.lengthOf(id), UTF_8)

  /** Has the cache of a name be about its IRI with this prefix. */
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

  /** Counts the bytes of the cached IRIs, as others have left the cache, and empties it if they are
    * many.
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

  /** In place of the version of a name's prefix: the entry is not set. */
  private final val NotSet = -2

  /** In place of the version of a name's prefix: nothing is cached. */
  private final val NoPrefixYet = -1

  // Capacities.
  private final val FirstPrefixes = 16
  private final val FirstNames = 64

  /** The longest cache for which a copy per batch costs less than the write barriers. */
  private final val MaxRenewed = 1 << 14

  /** The most bytes of cached IRIs. */
  private final val MaxCached = 1L << 24
}
