package org.jellyspark.jelly.encoding

import java.util.Arrays

/** An IRI that was written before.
  *
  * @param text
  *   its canonical text
  * @param prefixId
  *   0 where there are no prefixes
  */
private[jelly] final class CachedIri(
    val text: Array[Byte],
    val prefixId: Int,
    val prefixStamp: Int,
    val nameId: Int,
    val nameStamp: Int
)

/** IRIs that were written before, by their canonical text; so that one which comes again need not
  * be split. Of bounded size: a new one takes the place of an old one. One whose entries the
  * lookups have no more is not here.
  *
  * @param size
  *   that of the name lookup
  */
private[jelly] final class IriCache(size: Int, prefixes: LookupWriter, names: LookupWriter) {
  import IriCache._

  // Pairs of places: each IRI has two that it may stand in.
  private[this] val places = new Array[CachedIri](placesFor(size))
  private[this] val mask = places.length - 1
  // The hash of each stands beside it.
  private[this] val hashes = new Array[Int](places.length)

  /** The IRI whose text is the one from `from` to before `to`; null if it is not here. */
  def find(text: Array[Byte], from: Int, to: Int, hash: Int): CachedIri = {
    val place = hash & mask
    if (isAt(place, text, from, to, hash)) places(place)
    else if (isAt(place ^ 1, text, from, to, hash)) places(place ^ 1)
    else null
  }

  /** Keeps an IRI, if it is not too long. */
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

  private def isUsable(iri: CachedIri): Boolean = names.isHere(iri.nameId, iri.nameStamp) &&
    (iri.prefixId == 0 || prefixes.isHere(iri.prefixId, iri.prefixStamp))
}

private object IriCache {
  private final val MaxLength = 512 // bytes
  private final val MaxPlaces = 1 << 16

  private def placesFor(size: Int): Int =
    math.min(MaxPlaces, Integer.highestOneBit(size) * 4)
}
