package org.jellyspark.jelly

import org.jellyspark.core._

/** The fast way through rows as writers write most of them: statements of IRIs, literals and blank
  * nodes, and entries of names, of under 128 bytes. It stops before any other row, and one that
  * breaks a rule: those are for [[JellyDecoder]], which would read these the same.
  *
  * @param readers
  *   by position
  * @param held
  *   what the readers hold
  * @param reads
  *   by position, whether terms are made at once; where rows are filtered the readers decide
  * @param isFiltered
  *   whether rows may be left out
  */
private[jelly] final class PlainRows(
    lookups: Lookups,
    readers: Array[TermReader],
    held: HeldTerms,
    reads: Array[Boolean],
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

  /** Where [[read]] stopped. */
  var end: Int = 0

  /** How many rows it read. */
  var count: Int = 0

  /** Reads rows of a frame from `start` on, which lie before `limit` as a whole.
    *
    * @param decoder
    *   says what is a statement, and which pass the filter
    * @param frame
    *   the number of the frame
    */
  def read(
      bytes: Array[Byte],
      start: Int,
      limit: Int,
      decoder: JellyDecoder,
      numbering: RowNumbering,
      frame: Long,
      target: BatchBuilder
  ): Unit = {
    val addTag = tagOf(decoder.plainAdd)
    val deleteTag = tagOf(decoder.plainDelete)
    val positions = decoder.plainPositions
    var seq = numbering.startStatements()
    val first = seq
    var at = start
    var rows = 0
    var goesOn = true
    while (goesOn && limit - at >= 4 && !target.isFull) {
      val length = bytes(at + 1).toInt
      val rowEnd = at + 2 + length
      goesOn = bytes(at) == RowTag && length >= 2 && rowEnd <= limit && bytes(at + 3) == length - 2
      if (goesOn) {
        val tag = bytes(at + 2).toInt
        if (tag == addTag || tag == deleteTag) {
          val op = if (tag == addTag) RowOp.Add else RowOp.Delete
          goesOn =
            if (isFiltered) filtered(op, decoder, bytes, at + 4, rowEnd, positions)
            else !readsTerms || statement(bytes, at + 4, rowEnd, positions)
          if (goesOn) {
            if (decoder.isWanted) target.addStatement(op, held.terms, numbering, seq, frame)
            seq += 1
          }
        } else goesOn = tag == nameTag && (!readsTerms || name(bytes, at + 4, rowEnd))
        if (goesOn) {
          at = rowEnd
          rows += 1
        }
      }
    }
    numbering.endStatements(seq - first)
    end = at
    count = rows
  }

  /** As [[statement]], where the decoder says whether the row passes the filter. */
  private def filtered(
      op: RowOp,
      decoder: JellyDecoder,
      bytes: Array[Byte],
      start: Int,
      end: Int,
      positions: Int
  ): Boolean = {
    val lastPrefix = iris.lastPrefix
    val lastName = iris.lastName
    try {
      val isPlain = !readsTerms || statement(bytes, start, end, positions)
      if (isPlain) decoder.finishStatement(op)
      isPlain
    } catch {
      case _: MalformedRowException | NotCanonical =>
        iris.lastPrefix = lastPrefix
        iris.lastName = lastName
        false
    }
  }

  /** Reads the terms of a statement, or nothing: then the row is to be read again. */
  private def statement(bytes: Array[Byte], start: Int, end: Int, positions: Int): Boolean = {
    val lastPrefix = iris.lastPrefix
    val lastName = iris.lastName
    var at = term(TermReader.Subject, SubjectTag, bytes, start, end)
    if (at >= 0) at = term(TermReader.Predicate, PredicateTag, bytes, at, end)
    if (at >= 0) at = term(TermReader.Object, ObjectTag, bytes, at, end)
    if (at >= 0 && positions > TermReader.Graph) at = graph(bytes, at, end)
    val isRead = at == end
    if (!isRead) {
      iris.lastPrefix = lastPrefix
      iris.lastName = lastName
    }
    isRead
  }

  /** Reads the term of a position, if the field at `at` is one of it; else it is repeated.
    *
    * @return
    *   where the next field begins; -1 for what is not plain
    */
  private def term(position: Int, firstTag: Int, bytes: Array[Byte], at: Int, end: Int): Int = {
    val place = if (at < end) bytes(at) - firstTag else NoPlace
    if ((place & ~(3 << 3)) != 0) if (readers(position).isSet) at else -1
    else if (at + 1 >= end) -1
    else {
      val from = at + 2
      // A length of more than a byte is negative here.
      val to = from + bytes(at + 1)
      if (to < from || to > end) -1
      else if (isFiltered && place < (TermReader.Triple << 3)) {
        readers(position).read(place >> 3, bytes, from, to)
        to
      } else if (place == (TermReader.Iri << 3)) iri(position, bytes, from, to)
      else if (place == (TermReader.Literal << 3)) literal(position, bytes, from, to)
      else if (place == (TermReader.BlankNode << 3)) blankNode(position, bytes, from, to)
      else -1
    }
  }

  private def graph(bytes: Array[Byte], at: Int, end: Int): Int =
    if (at + 1 < end && bytes(at) == DefaultGraphTag) {
      if (bytes(at + 1) == 0) {
        readers(TermReader.Graph).setDefault()
        at + 2
      } else -1
    } else term(TermReader.Graph, GraphTag, bytes, at, end)

  private def iri(position: Int, bytes: Array[Byte], from: Int, to: Int): Int = {
    var prefixId = 0
    var nameId = 0
    var at = from
    if (at < to && bytes(at) == TermReader.PrefixTag) {
      val read = Varint.readShort(bytes, at + 1, to)
      prefixId = Varint.number(read)
      at = Varint.next(read)
    }
    if (at < to && bytes(at) == TermReader.NameTag) {
      val read = Varint.readShort(bytes, at + 1, to)
      nameId = Varint.number(read)
      at = Varint.next(read)
    }
    if (at != to || !iris.refers(prefixId, nameId)) -1
    else {
      if (reads(position)) held.terms(position) = iris.iri(iris.lastPrefix, iris.lastName)
      readers(position).isSet = true
      to
    }
  }

  private def literal(position: Int, bytes: Array[Byte], from: Int, to: Int): Int = {
    val made = if (reads(position)) makeLiteral(bytes, from, to) else null
    if (reads(position) && made == null) -1
    else {
      held.terms(position) = made
      readers(position).isSet = true
      to
    }
  }

  /** The literal; null if it is not plain. */
  private def makeLiteral(bytes: Array[Byte], start: Int, end: Int): AnyRef = {
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

  private def blankNode(position: Int, bytes: Array[Byte], from: Int, to: Int): Int = {
    val made = if (reads(position)) factory.blankNode(bytes, from, to) else null
    if (reads(position) && made == null) -1
    else {
      held.terms(position) = made
      readers(position).isSet = true
      to
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
  // No byte is that.
  private final val NoTag = Int.MaxValue

  private def tagOf(field: Int): Int = if (field == 0) NoTag else Wire.lengthTag(field)
}
