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
  // How many IRIs of the stream have been written as text, and how many are written before the cache
  // is used.
  private[this] var count = 0L
  private[this] var uncached = 0

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
    uncached = if (count < FewIris) FewIris else 0
    count = 0
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
    count += 1
    if (count <= uncached) {
      putSplit(bytes, from, end, field, last, out)
    } else {
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
        } else putNew(bytes, from, end, hash, field, last, out)
      }
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

  /** Writes an IRI given as text, without the cache, if it has no escapes.
    *
    * @return
    *   whether it has none
    */
  private def putSplit(
      bytes: Array[Byte],
      from: Int,
      end: Int,
      field: Int,
      last: LastTerm,
      out: WireOutput
  ): Boolean = {
    val name = split(bytes, from, end, last)
    if (name ne null) {
      putMessage(idOf(last.prefix), name.id, field, out)
      last.copy(bytes, from, end - from)
    }
    name ne null
  }

  /** Like [[putSplit]], but adds the IRI, which is not in the cache. */
  private def putNew(
      bytes: Array[Byte],
      from: Int,
      end: Int,
      hash: Int,
      field: Int,
      last: LastTerm,
      out: WireOutput
  ): Boolean = {
    val name = split(bytes, from, end, last)
    if (name ne null) {
      val text = Arrays.copyOfRange(bytes, from, end)
      add(text, hash, last.prefix, name, field, out)
      last.share(text)
    }
    name ne null
  }

  /** Splits the IRI of the text `bytes[from, end)`, and sets the last prefix.
    *
    * @return
    *   the entry of its name; null if the IRI has escapes
    */
  private def split(bytes: Array[Byte], from: Int, end: Int, last: LastTerm): LookupEntry = {
    val start = from + 1
    val to = end - 1
    if (bytes(to) != '>') null
    else {
      val repeated = endOfPrefix(last.prefix, bytes, start, to)
      if (repeated != NotRepeated) {
        prefixes.use(last.prefix.id)
        names.entry(bytes, repeated, to)
      } else if (IriText.isUnescaped(bytes, start, to)) {
        val nameFrom = nameStart(bytes, start, to)
        last.prefix = prefixOf(bytes, start, nameFrom)
        names.entry(bytes, nameFrom, to)
      } else null
    }
  }

  private def add(
      text: Array[Byte],
      hash: Int,
      prefix: LookupEntry,
      name: LookupEntry,
      field: Int,
      out: WireOutput
  ): Unit = {
    val stamp = if (prefix eq null) NoStamp else prefix.stamp
    val iri = new CachedIri(text, idOf(prefix), stamp, name.id, name.stamp)
    cache.put(iri, hash)
    putMessage(iri.prefixId, iri.nameId, field, out)
  }

  private def use(iri: CachedIri, field: Int, out: WireOutput): Unit = {
    if (hasPrefixes) prefixes.use(iri.prefixId)
    names.use(iri.nameId)
    putMessage(iri.prefixId, iri.nameId, field, out)
  }

  /** Returns the index after the prefix of the IRI `bytes[from, to)` if it is the last one of the
    * position and the rest is a name without escapes. [[IriEncoder.NotRepeated]] if it is not, or
    * is not known to be.
    *
    * @param prefix
    *   the last prefix of the position; may be null, or no longer in the lookup. After an empty
    *   one, the name begins the IRI, where more needs an escape.
    */
  private def endOfPrefix(prefix: LookupEntry, bytes: Array[Byte], from: Int, to: Int): Int =
    if ((prefix eq null) || prefix.length == 0 || !prefixes.has(prefix.id, prefix.stamp))
      NotRepeated
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

  /** The id of a prefix, which is null if the stream has no prefix lookup. */
  private def idOf(prefix: LookupEntry): Int = if (prefix eq null) NoId else prefix.id

  private def putMessage(prefix: Int, name: Int, field: Int, out: WireOutput): Unit = {
    val prefixId = if (prefix == lastPrefixId) 0 else prefix
    if (prefixId != 0) lastPrefixId = prefixId
    val nameId = if (name == nextNameId) 0 else name
    nextNameId = name + 1
    out.numbers(field, Wire.Iri.PrefixId, prefixId, Wire.Iri.NameId, nameId)
  }
}

private object IriEncoder {

  /** Stands for an id where no entry is used. Ids start at 1. */
  final val NoId = 0
  private final val FirstId = 1
  private final val NoStamp = 0L
  // Returned instead of the index after a prefix, which is at least 1.
  private final val NotRepeated = 0
  // The cache costs more than it gains for streams with fewer IRIs, such as most messages in a
  // column. How many IRIs a stream will have is guessed from the stream before it.
  private final val FewIris = 512
}

/** An IRI that was written before, and the lookup entries with which it was written.
  *
  * @param text
  *   the canonical text of the IRI, with angle brackets
  * @param prefixId
  *   [[IriEncoder.NoId]] if the stream has no prefix lookup
  */
private final class CachedIri(
    val text: Array[Byte],
    val prefixId: Int,
    val prefixStamp: Long,
    val nameId: Int,
    val nameStamp: Long
)

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
    (iri.prefixId == IriEncoder.NoId || prefixes.has(iri.prefixId, iri.prefixStamp))
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
