package org.jellyspark.jelly

import org.jellyspark.core._

/** The fast way through rows as writers write most of them: statements of IRIs, literals and blank
  * nodes, and entries of names, of under 128 bytes. It stops before any other row, and one that
  * breaks a rule: those are for [[JellyDecoder]], which would read these the same.
  *
  * @param decoder
  *   says what is a statement, and which pass the filter
  * @param readers
  *   by position; they read the terms where rows are filtered
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
  // The first row of the batch that `read` adds: it repeats what the readers hold.
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
    val columns = target.terms(withGraph = positions > TermReader.Graph || held.terms(TermReader.Graph) != null)
    // IRIs are read by eight bytes.
    val last = math.min(limit, bytes.length - Words.Size)
    firstRow = target.size
    var seq = numbering.startStatements()
    val firstSeq = seq
    var at = start
    var rows = 0
    var goesOn = true
    while (goesOn && last - at >= 4 && !target.isFull) {
      val length = bytes(at + 1).toInt
      val rowEnd = at + 2 + length
      goesOn = bytes(at) == RowTag && length >= 2 && rowEnd <= last && bytes(at + 3) == length - 2
      if (goesOn) {
        val tag = bytes(at + 2).toInt
        if (tag == addTag || tag == deleteTag) {
          val op = if (tag == addTag) RowOp.Add else RowOp.Delete
          if (isFiltered) {
            goesOn = filtered(op, bytes, at + 4, rowEnd, positions)
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
    if (!isFiltered && target.size > firstRow) hold(columns, target.size - 1)
    numbering.endStatements(seq - firstSeq)
    end = at
    count = rows
  }

  /** As [[statement]], where the decoder says whether the row passes the filter. */
  private def filtered(
      op: RowOp,
      bytes: Array[Byte],
      start: Int,
      end: Int,
      positions: Int
  ): Boolean =
    try {
      val isPlain = !readsTerms || statement(bytes, start, end, positions, null, 0)
      if (isPlain) decoder.finishStatement(op)
      isPlain
    } catch {
      case _: MalformedRowException | NotCanonical =>
        iris.reset()
        false
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
    var at = term(TermReader.Subject, SubjectTag, bytes, start, end, columns, row)
    if (at >= 0) at = term(TermReader.Predicate, PredicateTag, bytes, at, end, columns, row)
    if (at >= 0) at = term(TermReader.Object, ObjectTag, bytes, at, end, columns, row)
    if (positions > TermReader.Graph) {
      if (at >= 0) at = graph(bytes, at, end, columns, row)
    } else if (!isFiltered) repeat(TermReader.Graph, columns, row)
    if (at != end) iris.reset()
    at == end
  }

  /** Reads the term of a position, if the field at `at` is one of it; else it is repeated.
    *
    * @return
    *   where the next field begins; -1 for what is not plain
    */
  private def term(
      position: Int,
      firstTag: Int,
      bytes: Array[Byte],
      at: Int,
      end: Int,
      columns: Array[Array[AnyRef]],
      row: Int
  ): Int = {
    val place = if (at < end) bytes(at) - firstTag else NoPlace
    if ((place & ~(3 << 3)) != 0) {
      if (!isFiltered) repeat(position, columns, row)
      if (readers(position).isSet) at else -1
    } else {
      val from = at + 2
      // A length of more than a byte is negative here.
      val to = from + bytes(at + 1)
      if (to < from || to > end || place == (TermReader.Triple << 3)) -1
      else if (isFiltered) {
        readers(position).read(place >> 3, bytes, from, to)
        to
      } else {
        readers(position).isSet = true
        val column = columns(position)
        if (place == (TermReader.Iri << 3)) {
          if (!refers(Words.at(bytes, from), to - from)) -1
          else {
            if (column != null) column(row) = iris.iri(iris.lastPrefix, iris.lastName)
            to
          }
        } else if (column == null) to
        else {
          val made =
            if (place == (TermReader.Literal << 3)) literal(bytes, from, to)
            else factory.blankNode(bytes, from, to)
          column(row) = made
          if (made == null) -1 else to
        }
      }
    }
  }

  private def graph(
      bytes: Array[Byte],
      at: Int,
      end: Int,
      columns: Array[Array[AnyRef]],
      row: Int
  ): Int =
    if (at + 1 < end && bytes(at) == DefaultGraphTag) {
      if (bytes(at + 1) == 0) {
        readers(TermReader.Graph).setDefault()
        if (!isFiltered && columns(TermReader.Graph) != null) columns(TermReader.Graph)(row) = null
        at + 2
      } else -1
    } else term(TermReader.Graph, GraphTag, bytes, at, end, columns, row)

  private def repeat(position: Int, columns: Array[Array[AnyRef]], row: Int): Unit = {
    val column = columns(position)
    if (column != null) {
      column(row) = if (row > firstRow) column(row - 1) else held.terms(position)
    }
  }

  /** Has the readers hold the terms of a row. They do not during [[read]]: to store a term in an
    * object that is old is dear.
    */
  private def hold(columns: Array[Array[AnyRef]], row: Int): Unit = {
    var position = 0
    while (position < columns.length) {
      if (columns(position) != null) held.terms(position) = columns(position)(row)
      position += 1
    }
  }

  /** Takes the ids of an IRI, of which the bytes are the first of a word.
    *
    * @return
    *   whether it is plain
    */
  private def refers(bytes: Long, length: Int): Boolean = {
    var rest = bytes
    var left = length
    var prefixId = 0
    var nameId = 0
    if (left > 0 && (rest & 0xff) == TermReader.PrefixTag) {
      prefixId = firstNumber(rest >>> 8)
      val size = if ((rest & 0x8000) == 0) 2 else 3
      rest >>>= size << 3
      left -= size
    }
    if (left > 0 && (rest & 0xff) == TermReader.NameTag) {
      nameId = firstNumber(rest >>> 8)
      left -= (if ((rest & 0x8000) == 0) 2 else 3)
    }
    left == 0 && iris.refers(prefixId, nameId)
  }

  /** The number that begins a word, of one byte or two; or one that no id is. */
  private def firstNumber(bytes: Long): Int =
    if ((bytes & 0x80) == 0) bytes.toInt & 0x7f
    else if ((bytes & 0x8000) == 0) bytes.toInt & 0x7f | (bytes.toInt >>> 1) & 0x3f80
    else NoId

  /** The literal; null if it is not plain. */
  private def literal(bytes: Array[Byte], start: Int, end: Int): AnyRef = {
    val hasLex = start + 1 < end && bytes(start) == TermReader.LexTag
    val from = if (hasLex) start + 2 else start
    val to = if (hasLex) from + bytes(start + 1) else start
    if (to < from || to > end) null
    else {
      if (to == end || to + 2 == end && bytes(to) == TermReader.DatatypeTag) {
        val id = if (to == end) 0 else bytes(to + 1).toInt
        if (to < end && !datatypes.isSet(id)) null
        else factory.typed(bytes, from, to, datatypes.datatype(id))
      } else if (
        bytes(to) == TermReader.LangtagTag && to + 2 < end && bytes(to + 1) == end - to - 2
      ) factory.tagged(bytes, from, to, to + 2, end)
      else null
    }
  }

  /** Sets an entry of the name lookup, or nothing: then the row is to be read again. */
  private def name(bytes: Array[Byte], start: Int, end: Int): Boolean = {
    var wireId = 0
    var at = start
    if (at < end && bytes(at) == EntryIdTag) {
      val read = Varint.readShort(bytes, at + 1, end)
      wireId = Varint.number(read)
      at = Varint.next(read)
    }
    val isPlain = at + 1 < end && bytes(at) == EntryValueTag && bytes(at + 1) == end - at - 2 &&
      Utf8.isValid(bytes, at + 2, end)
    val id = if (isPlain) iris.nextName(wireId) else 0
    if (id > 0) {
      if (isFiltered) readers.foreach(_.keepName(id))
      iris.setName(id, bytes, at + 2, end)
    }
    id > 0
  }
}

private object PlainRows {
  private final val RowTag = Wire.FrameRows << 3 | Wire.LengthDelimited
  private final val DefaultGraphTag = 15 << 3 | Wire.LengthDelimited
  private final val NoPlace = -1
  // No lookup has so many entries.
  private final val NoId = Int.MaxValue
  // No byte is that.
  private final val NoTag = Int.MaxValue

  private def tagOf(field: Int): Int = if (field == 0) NoTag else Wire.lengthTag(field)
}
