package org.jellyspark.jelly.decoding

import org.jellyspark.core.bytes.Swar
import org.jellyspark.core.rows.RowOp
import org.jellyspark.jelly.wire.Tag

/** Reads statements in the most common form into the [[TermReader]]s of a [[StatementDecoder]],
  * which decide by their ids whether they pass the filter, for [[FastRows]].
  *
  * @param readsTerms
  *   whether terms are decoded at all
  */
private[decoding] final class FilteredStatements(
    lookups: Lookups,
    statements: StatementDecoder,
    readsTerms: Boolean
) {
  import FastStatements._

  private[this] val iris = lookups.iris
  private[this] val subject = statements.readers(Position.Subject)
  private[this] val predicate = statements.readers(Position.Predicate)
  private[this] val obj = statements.readers(Position.Object)
  private[this] val graph = statements.readers(Position.Graph)

  /** Reads a statement, and decides whether it passes.
    *
    * @param bytes
    *   the array, with at least one word after the statement, because words that extend past it are
    *   read
    * @return
    *   whether the statement was in the common form; if not, the row counts as not read
    * @throws MalformedRowException
    *   if a term is malformed
    * @throws NonCanonical
    *   if a term is not in canonical form, or not valid UTF-8
    */
  def read(op: RowOp, bytes: Array[Byte], start: Int, end: Int, positions: Int): Boolean = {
    var at = end
    if (readsTerms) {
      at = term(subject, Tag.Subject, bytes, start, end)
      at = term(predicate, Tag.Predicate, bytes, at, end)
      at = term(obj, Tag.Object, bytes, at, end)
      if (positions > Position.Graph) at = readGraph(bytes, at, end)
    }
    if (at == end) statements.finish(op): Unit
    at == end
  }

  /** Reads the term of a position; see [[FastStatements]]. */
  private def term(
      reader: TermReader,
      firstTag: Int,
      bytes: Array[Byte],
      at: Int,
      end: Int
  ): Int = {
    val place = if (at < end) bytes(at) - firstTag else NoPlace
    if ((place & ~Tag.KindBits) != 0) { if (reader.isSet) at else Uncommon }
    else {
      val from = at + 2
      val length = bytes(at + 1).toInt
      val isCommon =
        if (place == IriPlace) iri(reader, Swar.load(bytes, from), length)
        else if (length < 0 || length > end - from || place == TriplePlace) false
        else {
          reader.read(place >> Tag.KindShift, bytes, from, from + length)
          true
        }
      if (isCommon) from + length else Uncommon
    }
  }

  private def iri(reader: TermReader, word: Long, length: Int): Boolean = {
    val ids = FastIri.ids(word, length)
    val isCommon =
      ids != FastIri.Uncommon && iris.refers(FastIri.prefix(ids), FastIri.name(ids))
    if (isCommon) reader.takeIri()
    isCommon
  }

  private def readGraph(bytes: Array[Byte], at: Int, end: Int): Int =
    if (at < end && bytes(at) == Tag.DefaultGraph) {
      graph.setDefault()
      if (bytes(at + 1) == 0) at + 2 else Uncommon
    } else term(graph, Tag.Graph, bytes, at, end)
}
