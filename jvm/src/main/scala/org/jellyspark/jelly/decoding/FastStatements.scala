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

  /** Reads an RdfIri, using SWAR (SIMD within a register). Its bytes, at most five, are the lowest
    * of `word`. One mask and compare tests its tags and the highest bits of all its varints at
    * once. With a prefix id of one byte and a name id of one or two, the message has one of these
    * forms:
    * {{{
    * length 0:                            -
    * length 2: 10 nn                      name id below 2^7
    * length 2: 08 pp                      prefix id
    * length 3: 10 nn|80 nn                name id below 2^14
    * length 4: 08 pp 10 nn                both
    * length 5: 08 pp 10 nn|80 nn          both
    * }}}
    * An id of two bytes is `nn & 0x7f | nn << 7`, extracted from the word with two shifts.
    *
    * @return
    *   whether the message has one of these forms and its ids have entries
    */
  private def iri(column: Array[AnyRef], row: Int, word: Long, length: Int): Boolean = {
    var prefixId = 0
    var nameId = 0
    val isCommon =
      if (length == 2 && (word & 0x80ff) == Tag.NameId) {
        nameId = (word >>> 8).toInt & 0x7f
        true
      } else if (length == 3 && (word & 0x8080ff) == (0x8000 | Tag.NameId)) {
        nameId = (word >>> 8).toInt & 0x7f | (word >>> 9).toInt & 0x3f80
        true
      } else if (length == 4 && (word & 0x80ff80ffL) == (Tag.NameId << 16 | Tag.PrefixId)) {
        prefixId = (word >>> 8).toInt & 0x7f
        nameId = (word >>> 24).toInt & 0x7f
        true
      } else if (
        length == 5 && (word & 0x8080ff80ffL) == (0x80000000L | Tag.NameId << 16 | Tag.PrefixId)
      ) {
        prefixId = (word >>> 8).toInt & 0x7f
        nameId = (word >>> 24).toInt & 0x7f | (word >>> 25).toInt & 0x3f80
        true
      } else if (length == 2 && (word & 0x80ff) == Tag.PrefixId) {
        prefixId = (word >>> 8).toInt & 0x7f
        true
      } else length == 0
    isCommon && {
      if (column == null) iris.refers(prefixId, nameId)
      else {
        val term = iris.referred(prefixId, nameId)
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

private object FastStatements {

  /** Returned instead of the index of the next field. No row ends here. */
  private final val Uncommon = Int.MaxValue

  // The tag of a field minus the tag of the first field of its position.
  private final val IriPlace = TermKind.Iri << Tag.KindShift
  private final val LiteralPlace = TermKind.Literal << Tag.KindShift
  private final val TriplePlace = TermKind.Triple << Tag.KindShift

  /** Stands for such a difference where there is no field. It has bits other than [[Tag.KindBits]].
    */
  private final val NoPlace = -1
}
