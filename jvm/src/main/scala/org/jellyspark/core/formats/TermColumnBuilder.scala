package org.jellyspark.core.formats

import java.nio.charset.StandardCharsets.UTF_8
import java.util.{Arrays, HashMap}

import org.jellyspark.core.bytes.ByteHash
import org.jellyspark.core.rows.{AllowedValues, Column, ColumnBatch}
import org.jellyspark.core.terms.{Literal, RepeatedIris, Term, TermFactory}

/** A column of terms in a batch that is being built, with the filter on it.
  *
  * A term refers to the bytes that were read, which must not change any more. Where it repeats an
  * earlier term, as subjects and predicates often do, the earlier object is reused.
  *
  * @param reusesLast
  *   whether many terms equal the previous one, which is then reused
  */
private[jellyspark] final class TermColumnBuilder(
    column: Column.TermColumn,
    request: BatchRequest,
    factory: TermFactory,
    reusesLast: Boolean = false
) {
  private[this] val isRequested = request.columns.contains(column)
  private[this] val allowed = AllowedTexts(request.filter.of(column))
  private[this] val datatypes = new HashMap[String, AnyRef]
  // The last term, and its bytes.
  private[this] var last: AnyRef = _
  private[this] var lastBytes: Array[Byte] = _
  private[this] var lastFrom, lastTo = 0
  // Null if the column is not requested, or while a column of graphs has no value in this batch.
  private[this] var values: Array[AnyRef] = _

  /** Begins a batch. The array of a column of graphs is not created before the first graph. */
  def begin(batch: ColumnBatch, capacity: Int): Unit = {
    values = null
    if (column != Column.Graph) provide(batch, capacity)
  }

  /** Creates the array for this batch, unless it exists. */
  def provide(batch: ColumnBatch, capacity: Int): Unit = if (isRequested && values == null) {
    values = batch.values(column.index)
    if (values == null) {
      values = new Array[AnyRef](capacity)
      batch.values(column.index) = values
    }
  }

  /** Whether the filter allows the term whose canonical text is `bytes[from, to)`. */
  def allows(bytes: Array[Byte], from: Int, to: Int): Boolean =
    allowed == null || allowed.has(bytes, from, to)

  /** Whether the filter allows a term, as [[StatementRanges]] describes the object. */
  def allows(bytes: Array[Byte], from: Int, to: Int, datatype: String): Boolean =
    allowed == null || (
      if (datatype == null) allowed.has(bytes, from, to)
      else allowed.has(Literal.typed(new String(bytes, from, to - from, UTF_8), datatype))
    )

  /** Whether the filter allows `term`. A null stands for the default graph. */
  def allows(term: Term): Boolean = allowed == null || allowed.has(term)

  /** Whether the filter allows the default graph. */
  def allowsNull: Boolean = allowed == null || allowed.nulls

  /** Sets a row's value to the term whose canonical text is `bytes[from, to)`. */
  def set(row: Int, bytes: Array[Byte], from: Int, to: Int): Unit = if (values != null) {
    values(row) =
      if (reusesLast) repeated(bytes, from, to)
      else factory.canonical(bytes, from, to)
  }

  /** Sets a row's value to the last of the IRIs that was set. Many rows share its term. */
  def set(row: Int, iris: RepeatedIris): Unit = if (values != null) {
    if (iris.term == null) iris.term = make(iris.text)
    values(row) = iris.term
  }

  /** Sets a row's value to a term, as [[StatementRanges]] describes the object. */
  def set(row: Int, bytes: Array[Byte], from: Int, to: Int, datatype: String): Unit =
    if (datatype == null) set(row, bytes, from, to)
    else if (values != null) values(row) = factory.typed(bytes, from, to, madeOf(datatype))

  /** Sets a row's value. A null stands for the default graph. */
  def set(row: Int, term: Term): Unit =
    if (values != null && (term ne null)) values(row) = factory.of(term)

  private def madeOf(datatype: String): AnyRef = {
    val known = datatypes.get(datatype)
    if (known != null) known
    else {
      val utf8 = datatype.getBytes(UTF_8)
      val made = factory.datatype(utf8, 0, utf8.length)
      datatypes.put(datatype, made)
      made
    }
  }

  private def repeated(bytes: Array[Byte], from: Int, to: Int): AnyRef = {
    val isSame = last != null && (
      // A scanner has compared the term with the previous one.
      ((lastBytes eq bytes) && lastFrom == from && lastTo == to) ||
        Arrays.equals(lastBytes, lastFrom, lastTo, bytes, from, to)
    )
    if (!isSame) {
      last = factory.canonical(bytes, from, to)
      // Storing a reference into an old-generation object triggers a GC write barrier.
      if (lastBytes ne bytes) lastBytes = bytes
      lastFrom = from
      lastTo = to
    }
    last
  }

  private def make(iri: Array[Byte]): AnyRef = {
    val text = new Array[Byte](iri.length + 2)
    text(0) = '<'
    System.arraycopy(iri, 0, text, 1, iri.length)
    text(text.length - 1) = '>'
    factory.canonical(text, 0, text.length)
  }
}

/** The terms that a filter allows in one position of a statement, as canonical N-Triples.
  *
  * Terms are compared by their bytes, so no term objects are created.
  *
  * @param nulls
  *   whether null, the default graph, is allowed
  * @param texts
  *   the allowed terms; None if every term is allowed
  */
private final class AllowedTexts private (
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

private object AllowedTexts {

  /** The allowed texts of a filter; null if there is no filter. */
  def apply(values: AllowedValues): AllowedTexts =
    if (values == null) null else new AllowedTexts(values.nulls, values.texts)
}
