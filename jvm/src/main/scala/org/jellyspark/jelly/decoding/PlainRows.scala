package org.jellyspark.jelly.decoding

import org.jellyspark.core.bytes.{Utf8, Words}
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.rows.{RowNumbering, RowOp}
import org.jellyspark.jelly.wire.{NonCanonical, RowFields, PackedVarint, Wire}

/** The fast way through rows as writers write most of them: statements of IRIs, literals and blank
  * nodes, and entries of names, of under 128 bytes. It stops before any other row, and one that
  * breaks a rule: those are for [[JellyDecoder]], which would read these the same.
  *
  * It is written for few instructions, which is what limits it: each of them counts.
  *
  * @param decoder
  *   says what is a statement; where rows are filtered it decodes them
  * @param readers
  *   by position
  * @param held
  *   what the readers hold
  * @param isFiltered
  *   whether rows may be left out
  */
private[jelly] final class PlainRows(
    decoder: JellyDecoder,
    lookups: Lookups,
    readers: Array[TermReader],
    held: HeldTerms,
    isFiltered: Boolean,
    readsTerms: Boolean,
    fields: RowFields
) {
  import JellyDecoder._
  import PlainRows._

  private[this] val iris = lookups.iris
  private[this] val datatypes = lookups.datatypes
  private[this] val factory = lookups.factory
  private[this] val nameTag = Wire.lengthTag(fields.name)
  // The first row that a call of `read` adds.
  private[this] var firstRow = 0

  /** Where [[read]] stopped. */
  var end: Int = 0

  /** How many rows it read. */
  var count: Int = 0

  /** Reads rows of a frame from `start` on, which lie before `limit` as a whole.
    *
    * @param frame
    *   the number of the frame
    */
  def read(
      bytes: Array[Byte],
      start: Int,
      limit: Int,
      numbering: RowNumbering,
      frame: Long,
      target: BatchBuilder
  ): Unit = {
    val addTag = tagOf(decoder.plainAdd)
    val deleteTag = tagOf(decoder.plainDelete)
    val positions = decoder.plainPositions
    val makesTerms = readsTerms && !isFiltered
    val columns =
      target.terms(withGraph = positions > TermReader.Graph || held.terms(TermReader.Graph) != null)
    val last = math.min(limit, bytes.length - Beyond)
    firstRow = target.size
    var seq = numbering.startStatements()
    val firstSeq = seq
    var at = start
    var rows = 0
    var goesOn = !makesTerms || canRepeat(positions)
    if (makesTerms && goesOn && !target.isFull) repeatHeld(columns)
    while (goesOn && last - at >= 4 && !target.isFull) {
      val length = bytes(at + 1).toInt
      val rowEnd = at + 2 + length
      goesOn = bytes(at) == RowTag && length >= 2 && rowEnd <= last && bytes(at + 3) == length - 2
      if (goesOn) {
        val tag = bytes(at + 2).toInt
        if (tag == addTag || tag == deleteTag) {
          val op = if (tag == addTag) RowOp.Add else RowOp.Delete
          if (isFiltered) {
            goesOn = filtered(tag >>> 3, bytes, at + 4, rowEnd)
            if (goesOn && decoder.isWanted) target.add(op, decoder, numbering, seq, frame)
          } else {
            goesOn = !readsTerms ||
              statement(bytes, at + 4, rowEnd, positions, columns, target.size)
            if (goesOn) target.add(op, numbering, seq, frame)
          }
          if (goesOn) seq += 1
        } else goesOn = tag == nameTag && (!readsTerms || name(bytes, at + 4, rowEnd))
        if (goesOn) {
          at = rowEnd
          rows += 1
        }
      }
    }
    if (makesTerms) hold(columns, target.size)
    numbering.endStatements(seq - firstSeq)
    end = at
    count = rows
  }

  /** Whether there is a term in each position. */
  private def canRepeat(positions: Int): Boolean = {
    var position = 0
    while (position < positions && readers(position).isSet) position += 1
    position == positions
  }

  /** Has the first row repeat what the readers hold. */
  private def repeatHeld(columns: Array[Array[AnyRef]]): Unit = {
    var position = 0
    while (position < columns.length) {
      if (columns(position) != null) columns(position)(firstRow) = held.terms(position)
      position += 1
    }
  }

  /** Has the readers hold the terms of the last row: they do not during [[read]], as to store a
    * term in an object that is old is dear. Of the row after it there are none yet.
    */
  private def hold(columns: Array[Array[AnyRef]], size: Int): Unit = {
    var position = 0
    while (position < columns.length) {
      val column = columns(position)
      if (column != null) {
        if (size > firstRow) held.terms(position) = column(size - 1)
        if (size < column.length) column(size) = null
      }
      position += 1
    }
  }

  /** Has the decoder read a statement, and say whether it passes the filter; or nothing, then the
    * row is to be read again.
    */
  private def filtered(kind: Int, bytes: Array[Byte], start: Int, end: Int): Boolean = {
    iris.mark()
    try decoder.decodeOwn(kind, bytes, start, end) != null
    catch {
      case _: MalformedRowException | NonCanonical =>
        iris.reset()
        false
    }
  }

  /** Reads the terms of a statement into a row of columns, of which those are null that are not
    * asked for. If the row is to be read again that is as if nothing were read.
    */
  private def statement(
      bytes: Array[Byte],
      start: Int,
      end: Int,
      positions: Int,
      columns: Array[Array[AnyRef]],
      row: Int
  ): Boolean = {
    iris.mark()
    var at = term(SubjectTag, columns(TermReader.Subject), row, bytes, start, end)
    at = term(PredicateTag, columns(TermReader.Predicate), row, bytes, at, end)
    at = term(ObjectTag, columns(TermReader.Object), row, bytes, at, end)
    if (positions > TermReader.Graph) at = graph(columns(TermReader.Graph), row, bytes, at, end)
    else repeat(columns(TermReader.Graph), row)
    if (at != end) iris.reset()
    at == end
  }

  /** Reads the term of a position, if the field at `at` is one of it; else it is repeated.
    *
    * @return
    *   where the next field begins; behind the end for what is not plain
    */
  private def term(
      firstTag: Int,
      column: Array[AnyRef],
      row: Int,
      bytes: Array[Byte],
      at: Int,
      end: Int
  ): Int = {
    val place = if (at < end) bytes(at) - firstTag else NoPlace
    if ((place & ~(3 << 3)) != 0) {
      repeat(column, row)
      at
    } else {
      val from = at + 2
      val length = bytes(at + 1).toInt
      val isPlain =
        if (place == (TermReader.Iri << 3)) iri(column, row, Words.at(bytes, from), length)
        else other(place, column, row, bytes, from, length, end)
      if (isPlain) from + length else NotPlain
    }
  }

  private def repeat(column: Array[AnyRef], row: Int): Unit =
    if (column != null) column(row) = column(if (row > firstRow) row - 1 else row)

  /** @param bytes
    *   what the message begins with: all of it, if it is plain, that is of ids of one byte, and a
    *   name's of two. Each form has one test.
    */
  private def iri(column: Array[AnyRef], row: Int, bytes: Long, length: Int): Boolean = {
    var prefixId = 0
    var nameId = 0
    val isPlain =
      if (length == 2 && (bytes & 0x80ff) == TermReader.NameTag) {
        nameId = (bytes >>> 8).toInt & 0x7f
        true
      } else if (length == 3 && (bytes & 0x8080ff) == (0x8000 | TermReader.NameTag)) {
        nameId = (bytes >>> 8).toInt & 0x7f | (bytes >>> 9).toInt & 0x3f80
        true
      } else if (
        length == 4 && (bytes & 0x80ff80ffL) == (TermReader.NameTag << 16 | TermReader.PrefixTag)
      ) {
        prefixId = (bytes >>> 8).toInt & 0x7f
        nameId = (bytes >>> 24).toInt & 0x7f
        true
      } else if (
        length == 5 && (bytes & 0x8080ff80ffL) == (0x80000000L | TermReader.NameTag << 16 | TermReader.PrefixTag)
      ) {
        prefixId = (bytes >>> 8).toInt & 0x7f
        nameId = (bytes >>> 24).toInt & 0x7f | (bytes >>> 25).toInt & 0x3f80
        true
      } else if (length == 2 && (bytes & 0x80ff) == TermReader.PrefixTag) {
        prefixId = (bytes >>> 8).toInt & 0x7f
        true
      } else length == 0
    isPlain && {
      if (column == null) iris.refers(prefixId, nameId)
      else {
        val term = iris.referred(prefixId, nameId)
        column(row) = term
        term != null
      }
    }
  }

  private def other(
      place: Int,
      column: Array[AnyRef],
      row: Int,
      bytes: Array[Byte],
      from: Int,
      length: Int,
      end: Int
  ): Boolean =
    if (length < 0 || length > end - from || place == (TermReader.Triple << 3)) false
    else if (column == null) true
    else {
      val term =
        if (place == (TermReader.Literal << 3)) literal(bytes, from, from + length)
        else factory.blankNode(bytes, from, from + length)
      column(row) = term
      term != null
    }

  private def graph(
      column: Array[AnyRef],
      row: Int,
      bytes: Array[Byte],
      at: Int,
      end: Int
  ): Int =
    if (at < end && bytes(at) == DefaultGraphTag) {
      if (column != null) column(row) = null
      if (bytes(at + 1) == 0) at + 2 else NotPlain
    } else term(GraphTag, column, row, bytes, at, end)

  /** The literal; null if it is not plain. */
  private def literal(bytes: Array[Byte], start: Int, end: Int): AnyRef = {
    val hasLex = start + 1 < end && bytes(start) == TermReader.LexTag
    val from = if (hasLex) start + 2 else start
    val to = if (hasLex) from + bytes(start + 1) else start
    if (to < from || to > end) null
    else if (to == end) factory.typed(bytes, from, to, factory.noDatatype)
    else if (bytes(to) == TermReader.DatatypeTag) {
      val datatype = if (to + 2 == end) datatypes.found(bytes(to + 1).toInt) else null
      if (datatype == null) null else factory.typed(bytes, from, to, datatype)
    } else if (bytes(to) == TermReader.LangtagTag && to + 2 < end && bytes(to + 1) == end - to - 2)
      factory.tagged(bytes, from, to, to + 2, end)
    else null
  }

  /** Sets an entry of the name lookup, or nothing: then the row is to be read again. */
  private def name(bytes: Array[Byte], start: Int, end: Int): Boolean = {
    var wireId = 0
    var at = start
    if (at < end && bytes(at) == EntryIdTag) {
      val read = PackedVarint.readShort(bytes, at + 1, end)
      wireId = PackedVarint.number(read)
      at = PackedVarint.next(read)
    }
    val isPlain = at + 1 < end && bytes(at) == EntryValueTag && bytes(at + 1) == end - at - 2 &&
      Utf8.isValid(bytes, at + 2, end)
    val id = if (isPlain) iris.nextName(wireId) else 0
    if (id > 0) decoder.setName(id, bytes, at + 2, end)
    id > 0
  }
}

private object PlainRows {
  private final val RowTag = Wire.FrameRows << 3 | Wire.LengthDelimited
  private final val DefaultGraphTag = 15 << 3 | Wire.LengthDelimited
  private final val NoPlace = -1
  private final val NotPlain = Int.MaxValue
  // How far behind a row a word may reach that is read of its last field.
  private final val Beyond = 2 * Words.Size
  // No byte is that.
  private final val NoTag = Int.MaxValue

  private def tagOf(field: Int): Int = if (field == 0) NoTag else Wire.lengthTag(field)
}
