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

/** IRIs that were written before, by their canonical text; so that one which comes again need not
  * be split. Of bounded size: a new one takes the place of an old one.
  *
  * @param names
  *   the size of the name lookup
  */
private[jelly] final class IriCache(names: Int) {
  import IriCache._

  // Pairs of places: each IRI has two that it may stand in.
  private[this] val places = new Array[CachedIri](placesFor(names))
  private[this] val mask = places.length - 1
  // The hash of each stands beside it.
  private[this] val hashes = new Array[Int](places.length)

  /** The usable IRI whose text is the one from `from` to before `to`; null if it is not here. */
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
      (iri ne null) && iri.isUsable && Arrays.equals(iri.text, 0, iri.text.length, text, from, to)
    }
}

private object IriCache {
  private final val MaxLength = 512 // bytes
  private final val MaxPlaces = 1 << 16

  private def placesFor(names: Int): Int =
    math.min(MaxPlaces, Integer.highestOneBit(names) * 4)
}
