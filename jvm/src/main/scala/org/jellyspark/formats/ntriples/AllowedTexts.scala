package org.jellyspark.formats.ntriples

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.ByteHash
import org.jellyspark.core.rows.AllowedValues
import org.jellyspark.core.terms.Term

/** The terms that a filter allows in one position of a statement, as canonical N-Triples.
  *
  * Terms are compared by their bytes, so no term objects are created.
  *
  * @param nulls
  *   whether null, the default graph, is allowed
  * @param texts
  *   the allowed terms; None if every term is allowed
  */
private[ntriples] final class AllowedTexts private (
    val nulls: Boolean,
    texts: Option[Set[String]]
) {
  private[this] val any = texts.isEmpty
  // A hash table: the texts of each bucket. There are at least as many buckets as texts; their
  // number is a power of two.
  private[this] val places: Array[Array[Array[Byte]]] = {
    val all = texts.getOrElse(Set.empty).toArray.map(_.getBytes(UTF_8))
    val count = if (all.length == 1) 1 else Integer.highestOneBit(all.length + 1) * 2
    val byPlace = all.groupBy(text => ByteHash.of(text, 0, text.length) & count - 1)
    Array.tabulate(count)(byPlace.getOrElse(_, Array.empty[Array[Byte]]))
  }

  /** Whether the filter allows the term whose canonical text is `bytes[from, to)`. */
  def has(bytes: Array[Byte], from: Int, to: Int): Boolean = any || {
    // A single text needs no hash.
    val place =
      if (places.length == 1) places(0)
      else places(ByteHash.of(bytes, from, to) & places.length - 1)
    var i = 0
    while (i < place.length && !Arrays.equals(place(i), 0, place(i).length, bytes, from, to)) i += 1
    i < place.length
  }

  /** Whether the filter allows `term`. A null stands for the default graph. */
  def has(term: Term): Boolean = if (term eq null) nulls
  else {
    val text = term.utf8
    has(text, 0, text.length)
  }
}

private[ntriples] object AllowedTexts {

  /** The allowed texts of a filter; null if there is no filter. */
  def apply(values: AllowedValues): AllowedTexts =
    if (values == null) null else new AllowedTexts(values.nulls, values.texts)
}
