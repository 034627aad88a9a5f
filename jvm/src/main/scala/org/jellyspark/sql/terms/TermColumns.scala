package org.jellyspark.sql.terms

import java.lang.{Boolean => JBoolean}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.terms.NTriples.SyntaxException
import org.jellyspark.core.terms._
import org.jellyspark.jelly.encoding.{IriText, LiteralText}
import org.jellyspark.source.TermColumnType.AsStruct
import org.jellyspark.source.TermStructField.{
  BlankNodeKind,
  Datatype,
  IriKind,
  Kind,
  Lang,
  LiteralKind,
  TripleKind,
  Value
}
import org.jellyspark.source.{LiteralEscapes, TermColumnType}
import org.jellyspark.sql.InvalidArgumentException

/** The implementations of the column functions on terms: methods that Spark's generated code calls
  * for each row. Arguments are never null.
  *
  * Each function has a fast path and a slow path. The fast path scans the bytes of a term and,
  * where possible, returns a slice of them, which shares the memory of the argument, just as a
  * column shares the memory of its row. It handles IRIs and datatypes without escapes, blank nodes
  * with ASCII labels, and literals with canonical escapes. The slow path parses the string to a
  * [[Term]]. It handles all other terms, and reports strings that are not terms.
  *
  * Each method that can fail has a counterpart, named `try…`, that returns null instead.
  */
private[jellyspark] object TermColumns {

  // Kinds, which the first bytes of a term determine.

  def kind(term: UTF8String): UTF8String = orFail("term_kind", term)(kindOf(term))

  def tryKind(term: UTF8String): UTF8String = orNull(kindOf(term))

  def isIri(term: UTF8String): Boolean = orFail("is_iri", term)(kindOf(term)) eq IriKind

  def tryIsIri(term: UTF8String): JBoolean = tryIs(term, IriKind)

  def isBlankNode(term: UTF8String): Boolean =
    orFail("is_bnode", term)(kindOf(term)) eq BlankNodeKind

  def tryIsBlankNode(term: UTF8String): JBoolean = tryIs(term, BlankNodeKind)

  def isLiteral(term: UTF8String): Boolean =
    orFail("is_literal", term)(kindOf(term)) eq LiteralKind

  def tryIsLiteral(term: UTF8String): JBoolean = tryIs(term, LiteralKind)

  def isQuoted(term: UTF8String): Boolean = orFail("is_quoted", term)(kindOf(term)) eq TripleKind

  def tryIsQuoted(term: UTF8String): JBoolean = tryIs(term, TripleKind)

  // Components of terms.

  def value(term: UTF8String): UTF8String = orFail("term_value", term)(valueOf(term))

  def tryValue(term: UTF8String): UTF8String = orNull(valueOf(term))

  def datatype(term: UTF8String): UTF8String = orFail("term_datatype", term)(datatypeOf(term))

  def tryDatatype(term: UTF8String): UTF8String = orNull(datatypeOf(term))

  def lang(term: UTF8String): UTF8String = orFail("term_lang", term)(langOf(term))

  def tryLang(term: UTF8String): UTF8String = orNull(langOf(term))

  def quotedSubject(term: UTF8String): UTF8String =
    orFail("quoted_subject", term)(partOf(term)(_.subject))

  def tryQuotedSubject(term: UTF8String): UTF8String = orNull(partOf(term)(_.subject))

  def quotedPredicate(term: UTF8String): UTF8String =
    orFail("quoted_predicate", term)(partOf(term)(_.predicate))

  def tryQuotedPredicate(term: UTF8String): UTF8String = orNull(partOf(term)(_.predicate))

  def quotedObject(term: UTF8String): UTF8String =
    orFail("quoted_object", term)(partOf(term)(_.obj))

  def tryQuotedObject(term: UTF8String): UTF8String = orNull(partOf(term)(_.obj))

  // Complete terms.

  def isTerm(term: UTF8String): Boolean = orNull(canonicalOf(term)) != null

  def canonical(term: UTF8String): UTF8String = orFail("canonical_term", term)(canonicalOf(term))

  def tryCanonical(term: UTF8String): UTF8String = orNull(canonicalOf(term))

  def toStruct(term: UTF8String): InternalRow = orFail("term_to_struct", term)(structOf(term))

  def tryToStruct(term: UTF8String): InternalRow = orNull(structOf(term))

  def ofStruct(struct: InternalRow): UTF8String =
    try termOf(AsStruct.toTerm(struct))
    catch {
      case e: SyntaxException =>
        val fields = (0 until struct.numFields).map(struct.get(_, StringType))
        throw invalid("struct_to_term", fields.mkString("{", ", ", "}"), e)
    }

  def tryOfStruct(struct: InternalRow): UTF8String = orNull(termOf(AsStruct.toTerm(struct)))

  // Constructors of terms.

  def iri(value: UTF8String): UTF8String = orFail("iri", value)(iriOf(value))

  def tryIri(value: UTF8String): UTF8String = orNull(iriOf(value))

  def blankNode(label: UTF8String): UTF8String = orFail("bnode", label)(blankNodeOf(label))

  def tryBlankNode(label: UTF8String): UTF8String = orNull(blankNodeOf(label))

  def literal(value: UTF8String): UTF8String = orFail("literal", value)(simpleOf(value))

  def tryLiteral(value: UTF8String): UTF8String = orNull(simpleOf(value))

  def literal(value: UTF8String, datatype: UTF8String): UTF8String =
    orFail("literal", value, datatype)(typedOf(value, datatype))

  def tryLiteral(value: UTF8String, datatype: UTF8String): UTF8String =
    orNull(typedOf(value, datatype))

  def tagged(value: UTF8String, lang: UTF8String): UTF8String =
    orFail("lang_literal", value, lang)(taggedOf(value, lang))

  def tryTagged(value: UTF8String, lang: UTF8String): UTF8String = orNull(taggedOf(value, lang))

  def quoted(subject: UTF8String, predicate: UTF8String, obj: UTF8String): UTF8String =
    orFail("quoted", subject, predicate, obj)(quotedOf(subject, predicate, obj))

  def tryQuoted(subject: UTF8String, predicate: UTF8String, obj: UTF8String): UTF8String =
    orNull(quotedOf(subject, predicate, obj))

  private def tryIs(term: UTF8String, kind: UTF8String): JBoolean = {
    val found = orNull(kindOf(term))
    if (found == null) null else JBoolean.valueOf(found eq kind)
  }

  private def kindOf(term: UTF8String): UTF8String = {
    val kind = kindByStart(term)
    if (kind == null) Kind.of(parse(term)) else kind
  }

  /** The kind of term that a string begins like; null if no term begins like it. */
  private def kindByStart(term: UTF8String): UTF8String =
    if (term.numBytes < MinSize) null
    else {
      val second = term.getByte(1)
      term.getByte(0) match {
        case '"'                  => LiteralKind
        case '<' if second == '<' => TripleKind
        case '<' if second == '_' && term.numBytes > MinSize && term.getByte(2) == ':' =>
          BlankNodeKind
        case '<'                  => IriKind
        case '_' if second == ':' => BlankNodeKind
        case _                    => null
      }
    }

  private def valueOf(term: UTF8String): UTF8String = {
    val bytes = bytesOf(term)
    val from = fromOf(term, bytes)
    val to = from + term.numBytes
    val literal = literalIn(bytes, from, to)
    if (literal != null) lexicalForm(literal, bytes)
    else if (isPlainIri(bytes, from, to)) slice(bytes, from + 1, to - 1)
    else if (isPlainBlankNode(bytes, from, to)) slice(bytes, from + NTriplesBytes.LabelFrom, to)
    else Value.of(parse(term))
  }

  private def datatypeOf(term: UTF8String): UTF8String = {
    val bytes = bytesOf(term)
    val from = fromOf(term, bytes)
    val to = from + term.numBytes
    val literal = literalIn(bytes, from, to)
    if (literal != null) datatypeOf(literal, bytes)
    else if (isPlain(bytes, from, to)) null
    else Datatype.of(parse(term))
  }

  private def langOf(term: UTF8String): UTF8String = {
    val bytes = bytesOf(term)
    val from = fromOf(term, bytes)
    val to = from + term.numBytes
    val literal = literalIn(bytes, from, to)
    if (literal != null) langOf(literal, bytes)
    else if (isPlain(bytes, from, to)) null
    else Lang.of(parse(term))
  }

  private def structOf(term: UTF8String): InternalRow = {
    val bytes = bytesOf(term)
    val from = fromOf(term, bytes)
    val to = from + term.numBytes
    val literal = literalIn(bytes, from, to)
    if (literal != null) {
      val lex = lexicalForm(literal, bytes)
      struct(LiteralKind, lex, datatypeOf(literal, bytes), langOf(literal, bytes))
    } else if (isPlainIri(bytes, from, to)) {
      struct(IriKind, slice(bytes, from + 1, to - 1), null, null)
    } else if (isPlainBlankNode(bytes, from, to)) {
      struct(BlankNodeKind, slice(bytes, from + NTriplesBytes.LabelFrom, to), null, null)
    } else AsStruct.toColumn(parse(term))
  }

  private def struct(fields: UTF8String*): InternalRow = new GenericInternalRow(fields.toArray[Any])

  private def partOf(term: UTF8String)(part: QuotedTriple => Term): UTF8String = {
    val bytes = bytesOf(term)
    val from = fromOf(term, bytes)
    val to = from + term.numBytes
    if (isPlain(bytes, from, to) || literalIn(bytes, from, to) != null) null
    else {
      parse(term) match {
        case triple: QuotedTriple => termOf(part(triple))
        case _                    => null
      }
    }
  }

  private def canonicalOf(term: UTF8String): UTF8String = {
    val bytes = bytesOf(term)
    val from = fromOf(term, bytes)
    val to = from + term.numBytes
    val literal = literalIn(bytes, from, to)
    val isCanonical =
      if (literal == null) isPlain(bytes, from, to)
      else literal.datatypeFrom == 0 || datatypeOf(literal, bytes) != Datatype.XsdString
    if (isCanonical) term else termOf(parse(term))
  }

  private def iriOf(value: UTF8String): UTF8String = {
    refuseBrackets(value)
    if (isUnescapedIri(value)) UTF8String.concat(IriStart, value, IriEnd)
    else termOf(Iri(TermColumnType.text(value)))
  }

  private def blankNodeOf(label: UTF8String): UTF8String = {
    if (label.startsWith(LabelStart)) {
      throw new SyntaxException("expected a blank node label without '_:'")
    }
    val bytes = bytesOf(label)
    val from = fromOf(label, bytes)
    if (NTriplesBytes.isAsciiLabel(bytes, from, from + label.numBytes)) {
      UTF8String.concat(LabelStart, label)
    } else termOf(BlankNode(TermColumnType.text(label)))
  }

  private def simpleOf(value: UTF8String): UTF8String =
    if (isPlainLexicalForm(value)) UTF8String.concat(Quote, value, Quote)
    else termOf(Literal.simple(TermColumnType.text(value)))

  private def typedOf(value: UTF8String, datatype: UTF8String): UTF8String = {
    refuseBrackets(datatype)
    if (datatype == Datatype.XsdString) simpleOf(value)
    else if (isPlainLexicalForm(value) && isUnescapedIri(datatype)) {
      UTF8String.concat(Quote, value, DatatypeStart, datatype, IriEnd)
    } else termOf(Literal.typed(TermColumnType.text(value), TermColumnType.text(datatype)))
  }

  private def taggedOf(value: UTF8String, lang: UTF8String): UTF8String = {
    val bytes = bytesOf(lang)
    val from = fromOf(lang, bytes)
    val isTag = lang.numBytes > 0 && NTriplesBytes.isLanguageTag(bytes, from, from + lang.numBytes)
    if (!isTag) {
      throw new SyntaxException("expected a language tag of letters, digits and hyphens")
    }
    if (isPlainLexicalForm(value)) UTF8String.concat(Quote, value, TagStart, lang)
    else termOf(Literal.tagged(TermColumnType.text(value), lang.toString))
  }

  private def quotedOf(subject: UTF8String, predicate: UTF8String, obj: UTF8String): UTF8String = {
    val terms = Array(canonicalOf(subject), canonicalOf(predicate), canonicalOf(obj))
    val quoted =
      UTF8String.concat(QuotedStart, terms(0), Blank, terms(1), Blank, terms(2), QuotedEnd)
    if (terms.exists(_.startsWith(QuotedStart))) parse(quoted) // may be nested too deeply
    quoted
  }

  /** Refuses an IRI that is given as a term with angle brackets, which would otherwise be escaped.
    */
  private def refuseBrackets(iri: UTF8String): Unit =
    if (iri.startsWith(IriStart)) {
      throw new SyntaxException("expected an IRI without angle brackets")
    }

  // The fast path.

  /** Returns the array that holds a string's bytes, or a copy of them. */
  private def bytesOf(text: UTF8String): Array[Byte] = text.getBaseObject match {
    case bytes: Array[Byte] => bytes
    case _                  => text.getBytes
  }

  /** The index of a string's first byte in the array that [[bytesOf]] returned. */
  private def fromOf(text: UTF8String, bytes: Array[Byte]): Int =
    if (text.getBaseObject eq bytes) (text.getBaseOffset - Platform.BYTE_ARRAY_OFFSET).toInt else 0

  private def slice(bytes: Array[Byte], from: Int, to: Int): UTF8String =
    UTF8String.fromBytes(bytes, from, to - from)

  /** Whether the bytes are a term without escapes other than a literal. */
  private def isPlain(bytes: Array[Byte], from: Int, to: Int): Boolean =
    isPlainIri(bytes, from, to) || isPlainBlankNode(bytes, from, to)

  private def isPlainIri(bytes: Array[Byte], from: Int, to: Int): Boolean =
    to - from >= MinSize && bytes(from) == '<' && bytes(to - 1) == '>' &&
      IriText.isUnescaped(bytes, from + 1, to - 1)

  private def isPlainBlankNode(bytes: Array[Byte], from: Int, to: Int): Boolean =
    from < to && bytes(from) == '_' && NTriplesBytes.isAsciiBlankNode(bytes, from, to)

  /** The components of a literal with canonical escapes; null for all other strings. */
  private def literalIn(bytes: Array[Byte], from: Int, to: Int): LiteralText =
    if (from == to || bytes(from) != '"') null
    else {
      val literal = new LiteralText
      val isLiteral = literal.scan(bytes, from, to) &&
        (literal.datatypeFrom == 0 ||
          IriText.isUnescaped(bytes, literal.datatypeFrom, literal.datatypeTo))
      if (isLiteral) literal else null
    }

  private def lexicalForm(literal: LiteralText, bytes: Array[Byte]): UTF8String =
    if (literal.escapes == 0) slice(bytes, literal.lexFrom, literal.lexTo)
    else {
      val out = new Array[Byte](literal.lexTo - literal.lexFrom - literal.escapes)
      var at = 0
      var i = literal.lexFrom
      while (i < literal.lexTo) {
        val isEscape = bytes(i) == '\\'
        if (isEscape) i += 1
        out(at) = if (isEscape) LiteralEscapes.unescaped(bytes(i)) else bytes(i)
        at += 1
        i += 1
      }
      UTF8String.fromBytes(out)
    }

  private def datatypeOf(literal: LiteralText, bytes: Array[Byte]): UTF8String =
    if (literal.tagFrom != 0) Datatype.RdfLangString
    else if (literal.datatypeFrom == 0) Datatype.XsdString
    else slice(bytes, literal.datatypeFrom, literal.datatypeTo)

  private def langOf(literal: LiteralText, bytes: Array[Byte]): UTF8String =
    if (literal.tagFrom == 0) null else slice(bytes, literal.tagFrom, literal.tagTo)

  private def isUnescapedIri(iri: UTF8String): Boolean = {
    val bytes = bytesOf(iri)
    val from = fromOf(iri, bytes)
    IriText.isUnescaped(bytes, from, from + iri.numBytes)
  }

  private def isPlainLexicalForm(value: UTF8String): Boolean = {
    val bytes = bytesOf(value)
    val from = fromOf(value, bytes)
    val to = from + value.numBytes
    LiteralEscapes.next(bytes, from, to) == to && Utf8.isValid(bytes, from, to)
  }

  // The slow path, and errors.

  private def parse(term: UTF8String): Term = NTriples.parse(TermColumnType.text(term))

  private def termOf(term: Term): UTF8String = UTF8String.fromBytes(term.utf8)

  private def orFail[A](function: String, argument: UTF8String, others: UTF8String*)(
      result: => A
  ): A =
    try result
    catch {
      case e: SyntaxException =>
        throw invalid(function, (argument +: others).mkString("'", "', '", "'"), e)
    }

  private def orNull[A >: Null](result: => A): A =
    try result
    catch { case _: SyntaxException => null }

  private def invalid(
      function: String,
      shown: String,
      e: SyntaxException
  ): InvalidArgumentException =
    new InvalidArgumentException(
      function,
      if (shown.length <= MaxShown) shown else shown.take(MaxShown) + "…",
      e.getMessage
    )

  // The shortest terms are `<>` and `""`.
  private final val MinSize = 2

  // Long enough to recognize a term, in characters.
  private final val MaxShown = 200

  private val Quote = UTF8String.fromString("\"")
  private val TagStart = UTF8String.fromString("\"@")
  private val DatatypeStart = UTF8String.fromString("\"^^<")
  private val IriStart = UTF8String.fromString("<")
  private val IriEnd = UTF8String.fromString(">")
  private val LabelStart = UTF8String.fromString("_:")
  private val Blank = UTF8String.fromString(" ")
  private val QuotedStart = UTF8String.fromString("<< ")
  private val QuotedEnd = UTF8String.fromString(" >>")
}
