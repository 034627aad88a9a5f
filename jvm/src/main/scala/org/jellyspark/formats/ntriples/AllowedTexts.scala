package org.jellyspark.formats.ntriples

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.ByteHash
import org.jellyspark.core.rows.AllowedValues
import org.jellyspark.core.terms.Term

/** The terms that a filter allows in a position, as canonical texts: terms are compared by their
  * bytes, and not made.
  *
  * @param nulls
  *   whether the default graph is allowed
  * @param texts
  *   the allowed terms; None for any
  */
private[ntriples] final class AllowedTexts private (
    val nulls: Boolean,
    texts: Option[Set[String]]
) {
  private[this] val any = texts.isEmpty
  // The texts by their hash, in at least as many places, a power of two.
  private[this] val places: Array[Array[Array[Byte]]] = {
    val all = texts.getOrElse(Set.empty).toArray.map(_.getBytes(UTF_8))
    val count = if (all.length == 1) 1 else Integer.highestOneBit(all.length + 1) * 2
    val byPlace = all.groupBy(text => ByteHash.of(text, 0, text.length) & count - 1)
    Array.tabulate(count)(byPlace.getOrElse(_, Array.empty[Array[Byte]]))
  }

  /** Whether the term is allowed whose text is the bytes from `from` to before `to`. */
  def has(bytes: Array[Byte], from: Int, to: Int): Boolean = any || {
    // A single text needs no hash.
    val place =
      if (places.length == 1) places(0)
      else places(ByteHash.of(bytes, from, to) & places.length - 1)
    var i = 0
    while (i < place.length && !Arrays.equals(place(i), 0, place(i).length, bytes, from, to)) i += 1
    i < place.length
  }

  /** Whether a term is allowed; null is the default graph. */
  def has(term: Term): Boolean = if (term eq null) nulls
  else {
    val text = term.utf8
    has(text, 0, text.length)
  }
}

private[ntriples] object AllowedTexts {

  /** The texts of allowed values; null for no filter. */
  def apply(values: AllowedValues): AllowedTexts =
    if (values == null) null else new AllowedTexts(values.nulls, values.texts)
}
