package org.jellyspark.jelly.encoding

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.rows.{Row, RowRules}
import org.jellyspark.core.terms._
import org.jellyspark.jelly.TermOptions
import org.jellyspark.jelly.frames.FrameWriter
import org.jellyspark.jelly.wire.{RowFields, Wire, WireOutput}

/** Encodes the terms of one stream, in their order, as the reference implementation does, and
  * refuses what a stream with these options cannot hold.
  *
  * It goes by the canonical texts of terms; other texts, and terms that have escapes in their IRIs
  * or quote triples, take the long way through [[Term]].
  *
  * @param frame
  *   where new entries of the lookups are written
  * @param fields
  *   the fields of their rows
  */
private[jellyspark] final class TermEncoder(
    options: TermOptions,
    frame: FrameWriter,
    fields: RowFields
) {
  import TermEncoder.XsdString

  private[this] val iris = new IriEncoder(options, frame, fields)
  private[this] val datatypes =
    new LookupWriter("datatype", options.maxDatatypeTableSize, frame, fields.datatype)
  private[this] val hasDatatypes = options.maxDatatypeTableSize > 0

  private[this] val subjectPlace = TermPlace.subject(options)
  private[this] val predicatePlace = TermPlace.predicate(options)
  private[this] val objectPlace = TermPlace.obj(options)

  private[this] val lastSubject = new LastTerm
  private[this] val lastPredicate = new LastTerm
  private[this] val lastObject = new LastTerm
  private[this] val lastGraph = new LastGraph
  // Of what is never a repeat.
  private[this] val noLast = new LastTerm

  private[this] val literalText = new LiteralText
  private[this] var depth = 0

  /** The row is complete whose terms were encoded. */
  def endRow(): Unit = {
    iris.endRow()
    datatypes.endRow()
  }

  /** Goes on as a new stream does, but so that what follows means the same to a reader who begins
    * there and to one who does not.
    */
  def restart(): Unit = {
    iris.restart()
    datatypes.restart()
    lastSubject.forget()
    lastPredicate.forget()
    lastObject.forget()
    lastGraph.forget()
  }

  /** Puts the fields of a statement's terms, but the graph's; one that repeats the last is left
    * out.
    *
    * @throws RefusedException
    *   if one is none, or the stream cannot hold it
    */
  def triple(row: Row, out: WireOutput): Unit = {
    term(row.subjectCell, subjectPlace, lastSubject, out)
    term(row.predicateCell, predicatePlace, lastPredicate, out)
    term(row.objectCell, objectPlace, lastObject, out)
  }

  /** Whether the default graph is the one before, or there was none: then it need not be written
    * where no graph means the last one.
    */
  def isDefaultGraph: Boolean = lastGraph.isDefaultOrNone

  /** Whether a graph repeats the one before.
    *
    * @throws RefusedException
    *   if it is no term
    */
  def repeatsGraph(cell: TermCell): Boolean =
    if (cell.isEmpty) lastGraph.isDefault
    else {
      val last = lastGraph.term
      last.is(cell.bytes, cell.from, cell.length) || {
        val canonical = cell.term.utf8
        last.is(canonical, 0, canonical.length)
      }
    }

  /** Puts the field of a graph; it is left out where it repeats the one before.
    *
    * @throws RefusedException
    *   if it is no term, or the stream cannot hold it
    */
  def graph(cell: TermCell, place: TermPlace, out: WireOutput): Unit =
    if (!cell.isEmpty) {
      term(cell, place, lastGraph.term, out)
      lastGraph.setTerm()
    } else if (!lastGraph.isDefault) {
      out.begin(place.other, 0)
      lastGraph.setDefault()
    }

  /** Has the next graph written, even if it is the last one again. */
  def forgetGraph(): Unit = lastGraph.forget()

  /** Puts the field of a term that is never left out.
    *
    * @throws RefusedException
    *   if it is none, or the stream cannot hold it
    */
  def term(cell: TermCell, place: TermPlace, out: WireOutput): Unit = {
    noLast.forget()
    term(cell, place, noLast, out)
  }

  /** Puts a field that is the message of an IRI.
    *
    * @param rule
    *   the one that another term breaks
    * @throws RefusedException
    *   if it is another term, or none
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
        case '<' => iris.putPlain(bytes, from, length, place.iri, last, out)
        case '"' => plainLiteral(bytes, from, length, place, last, out)
        case '_' => plainBlankNode(bytes, from, length, place, last, out)
        case _   => false
      }
      if (!isDone) odd(cell.term, place, last, out)
    }
  }

  /** A term whose text is not canonical, or is not what goes on the wire. */
  private def odd(term: Term, place: TermPlace, last: LastTerm, out: WireOutput): Unit = {
    val text = term.utf8
    if (!last.is(text, 0, text.length)) {
      this.term(term, place, out)
      last.share(text)
    }
  }

  private def plainLiteral(
      bytes: Array[Byte],
      from: Int,
      length: Int,
      place: TermPlace,
      last: LastTerm,
      out: WireOutput
  ): Boolean = literalText.scan(bytes, from, from + length) && {
    val isTyped = literalText.datatypeFrom > 0
    val datatype =
      if (isTyped) plainDatatype(bytes, literalText.datatypeFrom, literalText.datatypeTo) else null
    val isPlain = !isTyped || (datatype ne null)
    if (isPlain) {
      place.checkLiteral()
      putLiteral(bytes, if (isTyped) datatype.id else 0, place.literal, out)
      last.copy(bytes, from, length)
    }
    isPlain
  }

  /** The entry of a datatype whose text is its IRI; null if it is another. */
  private def plainDatatype(bytes: Array[Byte], from: Int, to: Int): LookupEntry = {
    val known = datatypes.find(bytes, from, to)
    if ((known ne null) && known.isPlain) {
      datatypes.use(known.id)
      known
    } else if (
      IriText
        .isPlain(bytes, from, to) && !Arrays.equals(bytes, from, to, XsdString, 0, XsdString.length)
    ) {
      val added = datatype(bytes, from, to)
      added.isPlain = true
      added
    } else null
  }

  private def datatype(bytes: Array[Byte], from: Int, to: Int): LookupEntry = {
    if (!hasDatatypes) refuse("a typed literal needs a datatype table")
    datatypes.entry(bytes, from, to)
  }

  /** Puts the literal whose parts [[literalText]] has. */
  private def putLiteral(bytes: Array[Byte], datatype: Int, field: Int, out: WireOutput): Unit = {
    val text = literalText
    val lexLength = text.lexTo - text.lexFrom - text.escapes
    beginLiteral(field, lexLength, text.tagTo - text.tagFrom, datatype, out)
    if (lexLength > 0) {
      out.begin(Wire.Literal.Lex, lexLength)
      text.putLexicalForm(bytes, out)
    }
    if (text.tagFrom > 0) out.field(Wire.Literal.Langtag, bytes, text.tagFrom, text.tagTo)
    out.number(Wire.Literal.Datatype, datatype)
  }

  private def putLiteral(literal: Literal, field: Int, out: WireOutput): Unit = {
    val lex = literal.lex.getBytes(UTF_8)
    val tag = if (literal.lang == null) Array.emptyByteArray else literal.lang.getBytes(UTF_8)
    val datatype =
      if (literal.datatype == null || literal.lang != null) 0
      else {
        val iri = literal.datatype.getBytes(UTF_8)
        this.datatype(iri, 0, iri.length).id
      }
    beginLiteral(field, lex.length, tag.length, datatype, out)
    if (lex.length > 0) out.field(Wire.Literal.Lex, lex, 0, lex.length)
    if (tag.length > 0) out.field(Wire.Literal.Langtag, tag, 0, tag.length)
    out.number(Wire.Literal.Datatype, datatype)
  }

  /** Begins the message of a literal; what is empty is left out of it. */
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

  private def plainBlankNode(
      bytes: Array[Byte],
      from: Int,
      length: Int,
      place: TermPlace,
      last: LastTerm,
      out: WireOutput
  ): Boolean = {
    val isPlain = NTriplesBytes.isAsciiBlankNode(bytes, from, from + length)
    if (isPlain) {
      place.checkBlankNode()
      out.field(place.blankNode, bytes, from + NTriplesBytes.LabelFrom, from + length)
      last.copy(bytes, from, length)
    }
    isPlain
  }

  /** Puts any term, the long way. */
  private def term(term: Term, place: TermPlace, out: WireOutput): Unit = term match {
    case iri: Iri         => iris.put(iri, place.iri, out)
    case literal: Literal =>
      place.checkLiteral()
      putLiteral(literal, place.literal, out)
    case BlankNode(label) =>
      place.checkBlankNode()
      val utf8 = label.getBytes(UTF_8)
      out.field(place.blankNode, utf8, 0, utf8.length)
    case QuotedTriple(subject, predicate, obj) =>
      place.checkQuoted()
      if (depth == QuotedTriple.MaxDepth) refuse(RowRules.DepthRule)
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
  private val XsdString = Literal.XsdString.getBytes(UTF_8)
}
