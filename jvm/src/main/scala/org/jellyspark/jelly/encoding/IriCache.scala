package org.jellyspark.jelly.encoding

import java.util.Arrays

/** An IRI that was written before, and the entries of the lookups that it was written with.
  *
  * @param text
  *   the IRI's canonical text, with brackets
  * @param prefixId
  *   [[CachedIri.NoPrefix]] if the stream has no prefix lookup
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

/** A cache of the IRIs that were written before, by their canonical text: an IRI that comes again
  * is not split again, and its prefix and name are not looked up.
  *
  * The cache is two-way set-associative: an IRI may stand at the place that its hash gives, or at
  * that place's neighbor in its pair. It has a fixed number of places and evicts the older IRI of a
  * pair. An IRI whose entries have left the lookups is never returned: their stamps tell.
  *
  * @param size
  *   the size of the name lookup, which the number of places goes by
  */
private[jelly] final class IriCache(size: Int, prefixes: LookupEncoder, names: LookupEncoder) {
  import IriCache._

  private[this] val places = new Array[CachedIri](placesFor(size))
  private[this] val mask = places.length - 1
  // The hash of the IRI at each place.
  private[this] val hashes = new Array[Int](places.length)

  /** The IRI with the text from `from` to before `to`, whose hash is given; null if it is not in
    * the cache.
    */
  def find(text: Array[Byte], from: Int, to: Int, hash: Int): CachedIri = {
    val place = hash & mask
    if (isAt(place, text, from, to, hash)) places(place)
    else if (isAt(place ^ 1, text, from, to, hash)) places(place ^ 1)
    else null
  }

  /** Puts an IRI that [[find]] did not find into the cache, unless it is long. */
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

  /** Twice to four times the size of the name lookup, as a power of two. */
  private def placesFor(size: Int): Int =
    math.min(MaxPlaces, Integer.highestOneBit(size) * 4)
}
