package org.jellyspark.jelly.encoding

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.rows.{Column, Row, RowRules}
import org.jellyspark.core.terms._
import org.jellyspark.jelly.TermOptions
import org.jellyspark.jelly.frames.{FilterBuilder, FrameWriter, TermHashes}
import org.jellyspark.jelly.wire.{RowSchema, Wire, WireOutput}

/** Encodes the terms of one stream, in order, in the same way as Jelly-JVM. The methods throw a
  * [[org.jellyspark.core.errors.RefusedException]] if a text is not a term, or a stream with these
  * options cannot represent the term.
  *
  * There are two paths, which write the same bytes for the same term. The fast path encodes a term
  * from the bytes of its canonical text, without creating a [[Term]] or a string. It handles blank
  * nodes with ASCII labels, literals, and IRIs and datatypes without escapes. The slow path parses
  * the text to a [[Term]] and encodes that: texts that are not canonical, terms whose IRIs have
  * escapes, and triple terms.
  *
  * @param frame
  *   receives new entries of the lookups
  * @param fields
  *   the field numbers of their rows
  * @param filters
  *   collects the terms of each restart range; null if the index has no filters
  */
private[jellyspark] final class TermEncoder(
    options: TermOptions,
    frame: FrameWriter,
    fields: RowSchema,
    filters: FilterBuilder
) {
  import TermEncoder._

  private[this] val iris = new IriEncoder(options, frame, fields)
  private[this] val datatypes =
    new LookupEncoder("datatype", options.maxDatatypeTableSize, frame, fields.datatype)
  // Datatypes without escapes that were written before, some of which may have left the lookup.
  private[this] val recentDatatypes = new Array[LookupEntry](RecentDatatypes)
  private[this] val hasDatatypes = options.maxDatatypeTableSize > 0

  private[this] val subjectPlace = TermPlace.subject(options)
  private[this] val predicatePlace = TermPlace.predicate(options)
  private[this] val objectPlace = TermPlace.obj(options)

  private[this] val lastSubject = new LastTerm(hashesOf(Column.Subject))
  private[this] val lastPredicate = new LastTerm(hashesOf(Column.Predicate), isPredicate = true)
  private[this] val lastObject = new LastTerm(hashesOf(Column.Object))
  private[this] val lastGraph = new LastGraph(hashesOf(Column.Graph))
  // A last term for terms that are never omitted.
  private[this] val noLast = new LastTerm

  private[this] val literalText = new LiteralText
  // The number of triple terms around the current term.
  private[this] var depth = 0

  /** Call this when the row whose terms were encoded is complete. */
  def endRow(): Unit = {
    iris.endRow()
    datatypes.endRow()
  }

  /** Forgets everything that later terms could refer to, as required at a restart point: see
    * [[org.jellyspark.jelly.frames.RestartPoint]].
    */
  def restart(): Unit = {
    iris.restart()
    datatypes.restart()
    lastSubject.forget()
    lastPredicate.forget()
    lastObject.forget()
    lastGraph.forget()
  }

  /** Forgets everything, before the first term of another stream. */
  def startStream(): Unit = {
    restart()
    iris.startStream()
    datatypes.startStream()
    lastGraph.startStream()
  }

  /** Writes the subject, predicate and object of a statement. Omits a term that repeats the last
    * one of its position.
    */
  def triple(row: Row, out: WireOutput): Unit = {
    term(row.subjectCell, subjectPlace, lastSubject, out)
    term(row.predicateCell, predicatePlace, lastPredicate, out)
    term(row.objectCell, objectPlace, lastObject, out)
  }

  /** Whether the last graph is the default graph, or there has been no graph yet. If so, a
    * namespace without a graph belongs to the default graph.
    */
  def isDefaultGraph: Boolean = lastGraph.isDefaultOrNone

  /** Whether a graph repeats the last one. */
  def repeatsGraph(cell: TermCell): Boolean =
    if (cell.isEmpty) lastGraph.isDefault
    else {
      val last = lastGraph.term
      last.is(cell.bytes, cell.from, cell.length) || {
        val canonical = cell.term.utf8
        last.is(canonical, 0, canonical.length)
      }
    }

  /** Writes a graph, or omits it if it repeats the last one. */
  def graph(cell: TermCell, place: TermPlace, out: WireOutput): Unit =
    if (!cell.isEmpty) {
      term(cell, place, lastGraph.term, out)
      lastGraph.setTerm()
    } else if (!lastGraph.isDefault) {
      out.begin(place.other, 0)
      lastGraph.setDefault()
    }

  /** Forces the next row to write its graph. */
  def forgetGraph(): Unit = lastGraph.forget()

  /** Writes a term that is never omitted. */
  def term(cell: TermCell, place: TermPlace, out: WireOutput): Unit = {
    noLast.forget()
    term(cell, place, noLast, out)
  }

  /** Writes an IRI where no other kind of term is allowed.
    *
    * @param rule
    *   the rule that any other term breaks
    * @throws RefusedException
    *   if the cell's text is not an IRI
    */
  def iri(cell: TermCell, field: Int, rule: String, out: WireOutput): Unit = cell.term match {
    case iri: Iri => iris.put(iri, field, out)
    case _        => refuse(rule)
  }

  private def term(cell: TermCell, place: TermPlace, last: LastTerm, out: WireOutput): Unit = {
    val bytes = cell.bytes
    val from = cell.from
    val length = cell.length
    if (!last.is(bytes, from, length)) {
      val first = if (length > 0) bytes(from).toInt else 0
      val isDone = first match {
        case '<' => iris.putUnescaped(bytes, from, length, place.iri, last, out)
        case '"' => canonicalLiteral(bytes, from, length, place, last, out)
        case '_' => asciiBlankNode(bytes, from, length, place, last, out)
        case _   => false
      }
      if (!isDone) fromTerm(cell.term, place, last, out)
    }
  }

  private def hashesOf(column: Column): TermHashes =
    if (filters eq null) null else filters.hashesOf(column)

  /** Writes a term whose text the fast path does not handle. */
  private def fromTerm(term: Term, place: TermPlace, last: LastTerm, out: WireOutput): Unit = {
    val text = term.utf8
    if (!last.is(text, 0, text.length)) {
      this.term(term, place, out)
      last.share(text)
    }
  }

  private def canonicalLiteral(
      bytes: Array[Byte],
      from: Int,
      length: Int,
      place: TermPlace,
      last: LastTerm,
      out: WireOutput
  ): Boolean = literalText.scan(bytes, from, from + length) && {
    val isTyped = literalText.datatypeFrom > 0
    val datatype =
      if (isTyped) unescapedDatatype(bytes, literalText.datatypeFrom, literalText.datatypeTo)
      else null
    val isDone = !isTyped || (datatype ne null)
    if (isDone) {
      place.checkLiteral()
      putLiteral(bytes, if (isTyped) datatype.id else NoDatatype, place.literal, out)
      last.copy(bytes, from, length)
    }
    isDone
  }

  /** Returns the entry of a datatype's IRI; null if canonical text has no such datatype, because it
    * is not an IRI without escapes, or is xsd:string.
    */
  private def unescapedDatatype(bytes: Array[Byte], from: Int, to: Int): LookupEntry = {
    // Datatypes are few, and most of them differ in their lengths or last letters.
    val place = 4 * (to - from) + bytes(to - 1) & RecentDatatypes - 1
    val known = recentDatatypes(place)
    if ((known ne null) && known.is(bytes, from, to) && datatypes.has(known.id, known.stamp)) {
      datatypes.use(known.id)
      known
    } else if (
      IriText.isUnescaped(bytes, from, to) &&
      !Arrays.equals(bytes, from, to, XsdString, 0, XsdString.length)
    ) {
      val added = datatype(bytes, from, to)
      recentDatatypes(place) = added
      added
    } else null
  }

  private def datatype(bytes: Array[Byte], from: Int, to: Int): LookupEntry = {
    if (!hasDatatypes)
      refuse("a typed literal needs a datatype table: set maxDatatypeTableSize above 0")
    datatypes.entry(bytes, from, to)
  }

  /** Writes the literal whose components [[literalText]] found. */
  private def putLiteral(bytes: Array[Byte], datatype: Int, field: Int, out: WireOutput): Unit = {
    val text = literalText
    val lexLength = text.length
    beginLiteral(field, lexLength, text.tagTo - text.tagFrom, datatype, out)
    if (lexLength > 0) {
      out.begin(Wire.Literal.Lex, lexLength)
      if (text.escapes == 0) out.put(bytes, text.lexFrom, text.lexTo)
      else out.put(text.unescaped(bytes), 0, lexLength)
    }
    if (text.tagFrom > 0) out.field(Wire.Literal.Langtag, bytes, text.tagFrom, text.tagTo)
    out.number(Wire.Literal.Datatype, datatype)
  }

  private def putLiteral(literal: Literal, field: Int, out: WireOutput): Unit = {
    val lex = literal.lex.getBytes(UTF_8)
    val tag = if (literal.lang == null) Array.emptyByteArray else literal.lang.getBytes(UTF_8)
    val datatype =
      if (literal.datatype == null || literal.lang != null) NoDatatype
      else {
        val iri = literal.datatype.getBytes(UTF_8)
        this.datatype(iri, 0, iri.length).id
      }
    beginLiteral(field, lex.length, tag.length, datatype, out)
    if (lex.length > 0) out.field(Wire.Literal.Lex, lex, 0, lex.length)
    if (tag.length > 0) out.field(Wire.Literal.Langtag, tag, 0, tag.length)
    out.number(Wire.Literal.Datatype, datatype)
  }

  /** Begins the message of a literal, which omits empty components. */
  private def beginLiteral(
      field: Int,
      lexLength: Int,
      tagLength: Int,
      datatype: Int,
      out: WireOutput
  ): Unit = {
    val lex = if (lexLength == 0) 0 else WireOutput.sizeOf(Wire.Literal.Lex, lexLength)
    val tag = if (tagLength == 0) 0 else WireOutput.sizeOf(Wire.Literal.Langtag, tagLength)
    out.begin(field, lex + tag + WireOutput.sizeOfNumber(Wire.Literal.Datatype, datatype))
  }

  private def asciiBlankNode(
      bytes: Array[Byte],
      from: Int,
      length: Int,
      place: TermPlace,
      last: LastTerm,
      out: WireOutput
  ): Boolean = {
    val isDone = NTriplesBytes.isAsciiBlankNode(bytes, from, from + length)
    if (isDone) {
      place.checkBlankNode()
      out.field(place.blankNode, bytes, from + NTriplesBytes.LabelFrom, from + length)
      last.copy(bytes, from, length)
    }
    isDone
  }

  /** Writes any term. */
  private def term(term: Term, place: TermPlace, out: WireOutput): Unit = term match {
    case iri: Iri         => iris.put(iri, place.iri, out)
    case literal: Literal =>
      place.checkLiteral()
      putLiteral(literal, place.literal, out)
    case BlankNode(label) =>
      place.checkBlankNode()
      val utf8 = label.getBytes(UTF_8)
      out.field(place.blankNode, utf8, 0, utf8.length)
    case TripleTerm(subject, predicate, obj) =>
      place.checkTriple()
      if (depth == TripleTerm.MaxDepth) refuse(RowRules.DepthRule)
      depth += 1
      out.message(place.other) {
        this.term(subject, subjectPlace, out)
        this.term(predicate, predicatePlace, out)
        this.term(obj, objectPlace, out)
      }
      depth -= 1
    case DefaultGraph => refuse(RowRules.DefaultGraphRule)
  }
}

private object TermEncoder {
  // Stands for the datatype id of a literal without a datatype.
  private final val NoDatatype = 0
  // A power of two.
  private final val RecentDatatypes = 64
  private val XsdString = Literal.XsdString.getBytes(UTF_8)
}
