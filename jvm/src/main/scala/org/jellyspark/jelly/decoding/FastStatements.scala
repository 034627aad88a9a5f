package org.jellyspark.jelly.decoding

import org.jellyspark.core.bytes.Swar
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.jelly.wire.Tag

/** Reads statements in the most common form into the columns of a batch, for [[FastRows]]. */
private[jelly] final class FastStatements(lookups: Lookups) {
  import FastStatements._

  private[this] val iris = lookups.iris
  private[this] val datatypes = lookups.datatypes
  private[this] val factory = lookups.factory

  /** Reads the terms of a statement into a row of the columns.
    *
    * @param bytes
    *   the array, with at least two words after the statement, because words that extend past it
    *   are read
    * @param columns
    *   the columns by [[Position]]; null for those that the request does not read
    * @param firstRow
    *   a row that contains the terms it may repeat; later rows repeat those of the row before
    * @return
    *   whether the statement was in the common form; if not, the row counts as not read
    */
  def read(
      bytes: Array[Byte],
      start: Int,
      end: Int,
      positions: Int,
      columns: Array[Array[AnyRef]],
      firstRow: Int,
      row: Int
  ): Boolean = {
    iris.mark()
    // The row whose terms are repeated: the previous one, or the first one, which contains them
    // itself.
    val last = if (row > firstRow) row - 1 else row
    var at = term(Tag.Subject, columns(Position.Subject), row, last, bytes, start, end)
    at = term(Tag.Predicate, columns(Position.Predicate), row, last, bytes, at, end)
    at = term(Tag.Object, columns(Position.Object), row, last, bytes, at, end)
    if (positions > Position.Graph) at = graph(columns(Position.Graph), row, last, bytes, at, end)
    else repeat(columns(Position.Graph), row, last)
    if (at != end) iris.reset()
    at == end
  }

  /** Reads the term of a position, or repeats the last one if the field at `at` does not belong to
    * the position.
    *
    * @return
    *   the index of the next field, or [[FastStatements.Uncommon]] if the term is not in the common
    *   form
    */
  private def term(
      firstTag: Int,
      column: Array[AnyRef],
      row: Int,
      last: Int,
      bytes: Array[Byte],
      at: Int,
      end: Int
  ): Int = {
    val place = if (at < end) bytes(at) - firstTag else NoPlace
    if ((place & ~Tag.KindBits) != 0) {
      repeat(column, row, last)
      at
    } else {
      val from = at + 2
      val length = bytes(at + 1).toInt
      val isCommon =
        if (place == IriPlace) iri(column, row, Swar.load(bytes, from), length)
        else other(place, column, row, bytes, from, length, end)
      if (isCommon) from + length else Uncommon
    }
  }

  private def repeat(column: Array[AnyRef], row: Int, last: Int): Unit =
    if (column != null) column(row) = column(last)

  /** Reads an RdfIri.
    *
    * @return
    *   whether the message is in the common form and its ids have entries
    */
  private def iri(column: Array[AnyRef], row: Int, word: Long, length: Int): Boolean = {
    val ids = FastIri.ids(word, length)
    ids != FastIri.Uncommon && {
      if (column == null) iris.refers(FastIri.prefix(ids), FastIri.name(ids))
      else {
        val term = iris.referred(FastIri.prefix(ids), FastIri.name(ids))
        column(row) = term
        term != null
      }
    }
  }

  /** Reads a literal or a blank node. */
  private def other(
      place: Int,
      column: Array[AnyRef],
      row: Int,
      bytes: Array[Byte],
      from: Int,
      length: Int,
      end: Int
  ): Boolean =
    if (length < 0 || length > end - from || place == TriplePlace) false
    else if (column == null) true
    else {
      val term =
        if (place == LiteralPlace) literal(bytes, from, from + length)
        else factory.blankNode(bytes, from, from + length)
      column(row) = term
      term != null
    }

  private def graph(
      column: Array[AnyRef],
      row: Int,
      last: Int,
      bytes: Array[Byte],
      at: Int,
      end: Int
  ): Int =
    if (at < end && bytes(at) == Tag.DefaultGraph) {
      if (column != null) column(row) = null
      if (bytes(at + 1) == 0) at + 2 else Uncommon
    } else term(Tag.Graph, column, row, last, bytes, at, end)

  /** Creates a literal.
    *
    * @return
    *   the literal; null if it is not in the common form
    */
  private def literal(bytes: Array[Byte], start: Int, end: Int): AnyRef = {
    val hasLex = start + 1 < end && bytes(start) == Tag.Lex
    val from = if (hasLex) start + 2 else start
    val to = if (hasLex) from + bytes(start + 1) else start
    if (to < from || to > end) null
    else if (to == end) factory.typed(bytes, from, to, factory.noDatatype)
    else if (bytes(to) == Tag.Datatype) {
      val datatype = if (to + 2 == end) datatypes.found(bytes(to + 1).toInt) else null
      if (datatype == null) null else factory.typed(bytes, from, to, datatype)
    } else if (bytes(to) == Tag.Langtag && to + 2 < end && bytes(to + 1) == end - to - 2)
      tagged(bytes, from, to, to + 2, end)
    else null
  }

  /** Creates a literal with a language tag; null if it is malformed, which [[JellyDecoder]]
    * reports.
    */
  private def tagged(bytes: Array[Byte], from: Int, to: Int, tagFrom: Int, tagTo: Int): AnyRef =
    try factory.tagged(bytes, from, to, tagFrom, tagTo)
    catch { case _: MalformedRowException => null }
}

private[decoding] object FastStatements {

  /** Returned instead of the index of the next field. No row ends here. */
  final val Uncommon = Int.MaxValue

  // The tag of a field minus the tag of the first field of its position.
  final val IriPlace = TermKind.Iri << Tag.KindShift
  private final val LiteralPlace = TermKind.Literal << Tag.KindShift
  final val TriplePlace = TermKind.Triple << Tag.KindShift

  /** Stands for such a difference where there is no field. It has bits other than [[Tag.KindBits]].
    */
  final val NoPlace = -1
}
