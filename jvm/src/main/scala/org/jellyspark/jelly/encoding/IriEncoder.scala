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
  import IriEncoder.{FirstId, NoId}

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
    val hash = ByteHash.of(bytes, from, from + length)
    val iri = cache.find(bytes, from, from + length, hash)
    if (iri ne null) {
      use(iri, field, out)
      last.share(iri.text)
      true
    } else {
      val end = from + length - 1
      bytes(end) == '>' && {
        val prefix = repeatedPrefix(last.prefix, bytes, from + 1, end)
        val isUnescaped = (prefix ne null) || IriText.isUnescaped(bytes, from + 1, end)
        if (isUnescaped) {
          addUnescaped(Arrays.copyOfRange(bytes, from, end + 1), hash, prefix, field, last, out)
        }
        isUnescaped
      }
    }
  }

  /** Writes a field with any IRI. */
  def put(iri: Iri, field: Int, out: WireOutput): Unit = {
    val text = iri.utf8
    val hash = ByteHash.of(text, 0, text.length)
    val found = cache.find(text, 0, text.length, hash)
    if (found ne null) use(found, field, out)
    else {
      val value = iri.value.getBytes(UTF_8)
      val split = nameStart(value, 0, value.length)
      val prefix = prefixOf(value, 0, split)
      add(text, hash, prefix, names.entry(value, split, value.length), field, out)
    }
  }

  /** Writes an IRI without escapes that is not in the cache.
    *
    * @param repeatedPrefix
    *   the IRI's prefix if it is known to be that of the position's last IRI, otherwise null
    */
  private def addUnescaped(
      text: Array[Byte],
      hash: Int,
      repeatedPrefix: LookupEntry,
      field: Int,
      last: LastTerm,
      out: WireOutput
  ): Unit = {
    val end = text.length - 1
    if (repeatedPrefix ne null) {
      prefixes.use(repeatedPrefix.id)
      val name = names.entry(text, 1 + repeatedPrefix.bytes.length, end)
      add(text, hash, repeatedPrefix, name, field, out)
    } else {
      val split = nameStart(text, 1, end)
      val prefix = prefixOf(text, 1, split)
      if (split > 1) last.prefix = prefix
      add(text, hash, prefix, names.entry(text, split, end), field, out)
    }
    last.share(text)
  }

  private def add(
      text: Array[Byte],
      hash: Int,
      prefix: LookupEntry,
      name: LookupEntry,
      field: Int,
      out: WireOutput
  ): Unit = {
    val iri =
      if (prefix eq null) new CachedIri(text, CachedIri.NoPrefix, 0, name.id, name.stamp)
      else new CachedIri(text, prefix.id, prefix.stamp, name.id, name.stamp)
    cache.put(iri, hash)
    putMessage(iri, field, out)
  }

  private def use(iri: CachedIri, field: Int, out: WireOutput): Unit = {
    if (hasPrefixes) prefixes.use(iri.prefixId)
    names.use(iri.nameId)
    putMessage(iri, field, out)
  }

  /** Returns the prefix of the IRI `bytes[from, to)` if it is the last one of the position and the
    * rest is a name without escapes. Null if it is not, or is not known to be.
    *
    * @param prefix
    *   the last prefix of the position; may be null, or no longer in the lookup
    */
  private def repeatedPrefix(
      prefix: LookupEntry,
      bytes: Array[Byte],
      from: Int,
      to: Int
  ): LookupEntry = {
    val repeats = (prefix ne null) && prefixes.has(prefix.id, prefix.stamp) && {
      val start = from + prefix.bytes.length
      start <= to && Arrays.equals(prefix.bytes, 0, start - from, bytes, from, start) &&
      IriText.isUnescapedName(bytes, start, to)
    }
    if (repeats) prefix else null
  }

  private def nameStart(iri: Array[Byte], from: Int, to: Int): Int =
    if (hasPrefixes) IriText.nameStart(iri, from, to) else from

  /** Returns the entry of the prefix `iri[from, to)`; null if the stream has no prefix lookup. */
  private def prefixOf(iri: Array[Byte], from: Int, to: Int): LookupEntry =
    if (hasPrefixes) prefixes.entry(iri, from, to) else null

  private def putMessage(iri: CachedIri, field: Int, out: WireOutput): Unit = {
    var prefixId = 0
    if (hasPrefixes && iri.prefixId != lastPrefixId) {
      prefixId = iri.prefixId
      lastPrefixId = prefixId
    }
    val nameId = if (iri.nameId == nextNameId) 0 else iri.nameId
    nextNameId = iri.nameId + 1
    val length = WireOutput.sizeOfNumber(Wire.Iri.PrefixId, prefixId) +
      WireOutput.sizeOfNumber(Wire.Iri.NameId, nameId)
    out.begin(field, length)
    out.number(Wire.Iri.PrefixId, prefixId)
    out.number(Wire.Iri.NameId, nameId)
  }
}

private object IriEncoder {
  // Stands for an id where there is none. Ids start at 1.
  private final val NoId = 0
  private final val FirstId = 1
}

/** An IRI that was written before, and the lookup entries with which it was written.
  *
  * @param text
  *   the canonical text of the IRI, with angle brackets
  * @param prefixId
  *   the id of the prefix entry; [[CachedIri.NoPrefix]] if the stream has no prefix lookup
  */
private final class CachedIri(
    val text: Array[Byte],
    val prefixId: Int,
    val prefixStamp: Long,
    val nameId: Int,
    val nameStamp: Long
)

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

  /** Returns the IRI whose text is `text[from, to)` and whose hash is `hash`; null if it is not in
    * the cache.
    */
  def find(text: Array[Byte], from: Int, to: Int, hash: Int): CachedIri = {
    val place = hash & mask
    if (isAt(place, text, from, to, hash)) places(place)
    else if (isAt(place ^ 1, text, from, to, hash)) places(place ^ 1)
    else null
  }

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

  private def isAt(place: Int, text: Array[Byte], from: Int, to: Int, hash: Int): Boolean =
    hashes(place) == hash && {
      val iri = places(place)
      (iri ne null) && isUsable(iri) && Arrays.equals(iri.text, 0, iri.text.length, text, from, to)
    }

  private def isUsable(iri: CachedIri): Boolean = names.has(iri.nameId, iri.nameStamp) &&
    (iri.prefixId == CachedIri.NoPrefix || prefixes.has(iri.prefixId, iri.prefixStamp))
}

private object IriCache {
  private final val MaxLength = 512 // bytes
  private final val MaxPlaces = 1 << 16

  /** Returns two to four times the size of the name lookup, a power of two. */
  private def placesFor(size: Int): Int =
    math.min(MaxPlaces, Integer.highestOneBit(size) * 4)
}
