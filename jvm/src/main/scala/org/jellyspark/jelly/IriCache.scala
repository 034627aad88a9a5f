package org.jellyspark.jelly

import java.util.Arrays

/** An IRI that was written before.
  *
  * @param text
  *   its canonical text
  * @param prefix
  *   null where there are no prefixes
  */
private[jelly] final class CachedIri(
    val text: Array[Byte],
    val prefix: LookupEntry,
    val name: LookupEntry
) {

  /** Whether the lookups still have what it needs. */
  def isUsable: Boolean = name.isHere && ((prefix eq null) || prefix.isHere)
}

/** IRIs that were written before, by their canonical text; so that one which comes again need not be
  * split. Of bounded size: a new one takes the place of an old one.
  *
  * @param names
  *   the size of the name lookup
  */
private[jelly] final class IriCache(names: Int) {
  import IriCache._

  // Pairs of places: each IRI has two that it may stand in.
  private[this] val places = new Array[CachedIri](placesFor(names))
  private[this] val mask = places.length - 1

  /** The usable IRI whose text is the one from `from` to before `to`; null if it is not here. */
  def find(text: Array[Byte], from: Int, to: Int, hash: Int): CachedIri = {
    val place = hash & mask
    val first = places(place)
    if (isIt(first, text, from, to)) first
    else {
      val second = places(place ^ 1)
      if (isIt(second, text, from, to)) second else null
    }
  }

  /** Keeps an IRI, if it is not too long. */
  def put(iri: CachedIri, hash: Int): Unit = if (iri.text.length <= MaxLength) {
    val place = hash & mask
    if ((places(place) ne null) && places(place).isUsable) places(place ^ 1) = places(place)
    places(place) = iri
  }

  private def isIt(iri: CachedIri, text: Array[Byte], from: Int, to: Int): Boolean =
    (iri ne null) && Arrays.equals(iri.text, 0, iri.text.length, text, from, to) && iri.isUsable
}

private object IriCache {
  private final val MaxLength = 512 // bytes
  private final val MaxPlaces = 1 << 16

  private def placesFor(names: Int): Int =
    math.min(MaxPlaces, Integer.highestOneBit(names) * 8)
}
