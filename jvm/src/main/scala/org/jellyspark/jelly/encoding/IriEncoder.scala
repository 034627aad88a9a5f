package org.jellyspark.jelly.encoding

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.ByteHash
import org.jellyspark.core.terms.{Iri, IriText}
import org.jellyspark.jelly.TermOptions
import org.jellyspark.jelly.frames.FrameWriter
import org.jellyspark.jelly.wire.{RowSchema, Wire, WireOutput}

/** Encodes the IRIs of one stream, in order.
  *
  * An IRI is split into a prefix and a name, each an entry of a lookup. The message contains their
  * ids: prefix id 0 stands for the last prefix id, and name id 0 for the last name id plus one
  * (Jelly-RDF, "IRIs").
  *
  * @param frame
  *   receives new entries of the lookups
  * @param fields
  *   the field numbers of their rows
  */
private[jelly] final class IriEncoder(options: TermOptions, frame: FrameWriter, fields: RowSchema) {
  import IriEncoder._

  private[this] val names =
    new LookupEncoder("name", options.maxNameTableSize, frame, fields.name)
  private[this] val prefixes =
    new LookupEncoder("prefix", options.maxPrefixTableSize, frame, fields.prefix)
  private[this] val cache = new IriCache(options.maxNameTableSize, prefixes, names)
  private[this] val hasPrefixes = options.maxPrefixTableSize > 0
  private[this] var lastPrefixId = NoId
  // The name id that is encoded as 0, which is the last one plus one, or NoId.
  private[this] var nextNameId = FirstId

  /** Call this when the row whose IRIs were encoded is complete. */
  def endRow(): Unit = {
    names.endRow()
    prefixes.endRow()
  }

  /** Like [[TermEncoder.restart]]. */
  def restart(): Unit = {
    names.restart()
    prefixes.restart()
    lastPrefixId = NoId
    nextNameId = NoId
  }

  /** Like [[TermEncoder.startStream]], after [[restart]]. */
  def startStream(): Unit = {
    names.startStream()
    prefixes.startStream()
    nextNameId = FirstId
  }

  /** Writes a field with an IRI given as text, and sets `last` to the text, if the text is
    * canonical and has no escapes.
    *
    * @return
    *   whether the field was written
    */
  def putUnescaped(
      bytes: Array[Byte],
      from: Int,
      length: Int,
      field: Int,
      last: LastTerm,
      out: WireOutput
  ): Boolean = {
    val end = from + length
    val follows = last.isPredicate && last.place != IriCache.NoPlace
    val guess = if (follows) cache.placeAfter(last.place) else IriCache.NoPlace
    if (follows && cache.isAt(guess, bytes, from, end)) {
      putKnown(guess, field, last, out)
      true
    } else {
      val hash = ByteHash.of(bytes, from, end)
      val place = cache.find(bytes, from, end, hash)
      if (place != IriCache.NoPlace) {
        if (follows) cache.setPlaceAfter(last.place, place)
        putKnown(place, field, last, out)
        true
      } else bytes(end - 1) == '>' && putNew(bytes, from, end - 1, hash, field, last, out)
    }
  }

  /** Writes a field with any IRI. */
  def put(iri: Iri, field: Int, out: WireOutput): Unit = {
    val text = iri.utf8
    val hash = ByteHash.of(text, 0, text.length)
    val place = cache.find(text, 0, text.length, hash)
    if (place != IriCache.NoPlace) use(cache.iri(place), field, out)
    else {
      val value = iri.value.getBytes(UTF_8)
      val split = nameStart(value, 0, value.length)
      val prefix = prefixOf(value, 0, split)
      add(text, hash, prefix, names.entry(value, split, value.length), field, out)
    }
  }

  /** Writes an IRI that is in the cache. */
  private def putKnown(place: Int, field: Int, last: LastTerm, out: WireOutput): Unit = {
    val iri = cache.iri(place)
    use(iri, field, out)
    last.place = place
    last.share(iri.text)
  }

  /** Writes the IRI of the text `bytes[from, end]`, which is not in the cache, if it has no
    * escapes.
    *
    * @return
    *   whether the IRI has no escapes
    */
  private def putNew(
      bytes: Array[Byte],
      from: Int,
      end: Int,
      hash: Int,
      field: Int,
      last: LastTerm,
      out: WireOutput
  ): Boolean = {
    val repeated = endOfPrefix(last.prefix, bytes, from + 1, end)
    val isUnescaped = repeated != NotRepeated || IriText.isUnescaped(bytes, from + 1, end)
    if (isUnescaped) {
      var split = repeated
      var prefix = last.prefix
      if (repeated != NotRepeated) prefixes.use(prefix.id)
      else {
        split = nameStart(bytes, from + 1, end)
        prefix = prefixOf(bytes, from + 1, split)
        if (split > from + 1) last.prefix = prefix
      }
      val text = Arrays.copyOfRange(bytes, from, end + 1)
      add(text, hash, prefix, names.entry(bytes, split, end), field, out)
      last.share(text)
    }
    isUnescaped
  }

  private def add(
      text: Array[Byte],
      hash: Int,
      prefix: LookupEntry,
      name: LookupEntry,
      field: Int,
      out: WireOutput
  ): Unit = {
    val iri = new CachedIri(text, prefix, name)
    cache.put(iri, hash)
    putMessage(iri, field, out)
  }

  private def use(iri: CachedIri, field: Int, out: WireOutput): Unit = {
    if (hasPrefixes) prefixes.use(iri.prefixId)
    names.use(iri.nameId)
    putMessage(iri, field, out)
  }

  /** Returns the index after the prefix of the IRI `bytes[from, to)` if it is the last one of the
    * position and the rest is a name without escapes. [[IriEncoder.NotRepeated]] if it is not, or
    * is not known to be.
    *
    * @param prefix
    *   the last prefix of the position; may be null, or no longer in the lookup
    */
  private def endOfPrefix(prefix: LookupEntry, bytes: Array[Byte], from: Int, to: Int): Int =
    if ((prefix eq null) || !prefixes.has(prefix.id, prefix.stamp)) NotRepeated
    else {
      val end = from + prefix.length
      val repeats =
        end <= to && prefix.is(bytes, from, end) && IriText.isUnescapedName(bytes, end, to)
      if (repeats) end else NotRepeated
    }

  private def nameStart(iri: Array[Byte], from: Int, to: Int): Int =
    if (hasPrefixes) IriText.nameStart(iri, from, to) else from

  /** Returns the entry of the prefix `iri[from, to)`; null if the stream has no prefix lookup. */
  private def prefixOf(iri: Array[Byte], from: Int, to: Int): LookupEntry =
    if (hasPrefixes) prefixes.entry(iri, from, to) else null

  private def putMessage(iri: CachedIri, field: Int, out: WireOutput): Unit = {
    val prefixId = if (iri.prefixId == lastPrefixId) 0 else iri.prefixId
    if (prefixId != 0) lastPrefixId = prefixId
    val nameId = if (iri.nameId == nextNameId) 0 else iri.nameId
    nextNameId = iri.nameId + 1
    out.numbers(field, Wire.Iri.PrefixId, prefixId, Wire.Iri.NameId, nameId)
  }
}

private object IriEncoder {
  // Stands for an id where there is none. Ids start at 1.
  private final val NoId = 0
  private final val FirstId = 1
  // Returned instead of the index after a prefix, which is at least 1.
  private final val NotRepeated = 0
}

/** An IRI that was written before, and the lookup entries with which it was written.
  *
  * @param text
  *   the canonical text of the IRI, with angle brackets
  * @param prefix
  *   the entry of its prefix; null if the stream has no prefix lookup
  */
private final class CachedIri(val text: Array[Byte], prefix: LookupEntry, name: LookupEntry) {
  val prefixId: Int = if (prefix eq null) CachedIri.NoPrefix else prefix.id
  val prefixStamp: Long = if (prefix eq null) 0L else prefix.stamp
  val nameId: Int = name.id
  val nameStamp: Long = name.stamp
}

private object CachedIri {
  final val NoPrefix = 0
}

/** A cache of the IRIs written before, by their canonical text. A repeated IRI is not split again,
  * and its prefix and name are not looked up.
  *
  * The cache is two-way set-associative: an IRI is stored either at the index given by its hash or
  * at the other index of the same pair. It has a fixed size, and evicts the older IRI of a pair.
  * Stamps ensure that it never returns an IRI whose entries have left the lookups.
  *
  * @param size
  *   the size of the name lookup, which determines the size of the cache
  */
private final class IriCache(size: Int, prefixes: LookupEncoder, names: LookupEncoder) {
  import IriCache._

  private[this] val places = new Array[CachedIri](placesFor(size))
  private[this] val mask = places.length - 1
  // The hash of the IRI at each index.
  private[this] val hashes = new Array[Int](places.length)
  // The index of the IRI that followed the IRI at each index, as a predicate.
  private[this] val following = new Array[Int](places.length)

  /** Returns the index of the IRI whose text is `text[from, to)` and whose hash is `hash`;
    * [[IriCache.NoPlace]] if it is not in the cache.
    */
  def find(text: Array[Byte], from: Int, to: Int, hash: Int): Int = {
    val place = hash & mask
    if (hashes(place) == hash && isAt(place, text, from, to)) place
    else if (hashes(place ^ 1) == hash && isAt(place ^ 1, text, from, to)) place ^ 1
    else NoPlace
  }

  /** Whether the IRI whose text is `text[from, to)` is at an index. */
  def isAt(place: Int, text: Array[Byte], from: Int, to: Int): Boolean = {
    val iri = places(place)
    (iri ne null) && isUsable(iri) && Arrays.equals(iri.text, 0, iri.text.length, text, from, to)
  }

  /** Returns the IRI at an index where [[find]] or [[isAt]] found one. */
  def iri(place: Int): CachedIri = places(place)

  /** The index of the predicate that will probably follow the one at `place`: the one that did last
    * time. Things of a kind often have the same predicates in the same order.
    */
  def placeAfter(place: Int): Int = following(place)

  /** Records that the predicate at the index `next` followed the one at `place`. */
  def setPlaceAfter(place: Int, next: Int): Unit = following(place) = next

  /** Adds an IRI that [[find]] did not find, unless it is long. */
  def put(iri: CachedIri, hash: Int): Unit = if (iri.text.length <= MaxLength) {
    val place = hash & mask
    if (places(place) ne null) {
      places(place ^ 1) = places(place)
      hashes(place ^ 1) = hashes(place)
    }
    places(place) = iri
    hashes(place) = hash
  }

  private def isUsable(iri: CachedIri): Boolean = names.has(iri.nameId, iri.nameStamp) &&
    (iri.prefixId == CachedIri.NoPrefix || prefixes.has(iri.prefixId, iri.prefixStamp))
}

private object IriCache {

  /** Returned instead of an index if an IRI is not in the cache. */
  final val NoPlace = -1

  private final val MaxLength = 512 // bytes
  private final val MaxPlaces = 1 << 16

  /** Returns two to four times the size of the name lookup, a power of two. */
  private def placesFor(size: Int): Int =
    math.min(MaxPlaces, Integer.highestOneBit(size) * 4)
}
