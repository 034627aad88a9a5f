package org.jellyspark.jelly.encoding

import java.util.Arrays

/** An IRI that was written before, and the lookup entries with which it was written.
  *
  * @param text
  *   the canonical text of the IRI, with angle brackets
  * @param prefixId
  *   the id of the prefix entry; [[CachedIri.NoPrefix]] if the stream has no prefix lookup
  */
private[jelly] final class CachedIri(
    val text: Array[Byte],
    val prefixId: Int,
    val prefixStamp: Long,
    val nameId: Int,
    val nameStamp: Long
)

private[jelly] object CachedIri {
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
private[jelly] final class IriCache(size: Int, prefixes: LookupEncoder, names: LookupEncoder) {
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
