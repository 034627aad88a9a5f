package org.jellyspark.sql.terms

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.RefusedException
import org.jellyspark.core.terms.NTriples.SyntaxException
import org.jellyspark.core.terms._
import org.jellyspark.source.TermStruct
import org.jellyspark.source.TermStruct._
import org.jellyspark.text.CanonicalTermWriter

/** Computes functions on terms, which are strings in N-Triples syntax. Arguments are never null.
  *
  * Each function has a fast path and a slow path. The fast path scans the bytes of a term and,
  * where possible, returns a slice of them, which shares the memory of the argument, just as a
  * column shares the memory of its row. It handles IRIs and datatypes without escapes, blank nodes
  * with ASCII labels, and literals with canonical escapes. The slow path parses the string to a
  * [[Term]]. It handles all other terms, and throws a `SyntaxException` for strings that are not
  * terms.
  */
private[terms] object TermStrings {

  // Components of terms.

  /** The kind of a term, which its first bytes determine. */
  def kind(term: UTF8String): UTF8String = {
    val kind = kindByStart(term)
    if (kind == null) Kind.of(parse(term)) else kind
  }

  def value(term: UTF8String): UTF8String = {
    val scanned = new ScannedTerm(term)
    if (scanned.isLiteral) scanned.lexicalForm
    else if (scanned.isIri) scanned.iri
    else if (scanned.isBlankNode) scanned.label
    else Value.of(parse(term))
  }

  /** The datatype of a literal; null for other terms. */
  def datatype(term: UTF8String): UTF8String = {
    val scanned = new ScannedTerm(term)
    if (scanned.isLiteral) scanned.datatype
    else if (scanned.isResource) null
    else Datatype.of(parse(term))
  }

  /** The language tag of a literal, without its base direction; null if it has none, and for other
    * terms.
    */
  def lang(term: UTF8String): UTF8String = {
    val scanned = new ScannedTerm(term)
    if (scanned.isLiteral) scanned.lang
    else if (scanned.isResource) null
    else Lang.of(parse(term))
  }

  /** The base direction of a literal; null if it has none, and for other terms. */
  def direction(term: UTF8String): UTF8String = {
    val scanned = new ScannedTerm(term)
    if (scanned.isLiteral) scanned.direction
    else if (scanned.isResource) null
    else Direction.of(parse(term))
  }

  /** A component of a triple term; null for other terms. */
  def part(of: TripleTerm => Term)(term: UTF8String): UTF8String = {
    val scanned = new ScannedTerm(term)
    if (scanned.isResource || scanned.isLiteral) null
    else
      parse(term) match {
        case triple: TripleTerm => termOf(of(triple))
        case _                  => null
      }
  }

  // Complete terms.

  def isTerm(string: UTF8String): Boolean =
    try canonical(string) != null
    catch { case _: SyntaxException => false }

  def canonical(term: UTF8String): UTF8String = {
    val scanned = new ScannedTerm(term)
    if (if (scanned.isLiteral) !scanned.hasXsdString else scanned.isResource) term
    else termOf(parse(term))
  }

  /** A term in the canonical form of RDF 1.2's N-Triples. */
  def canonicalNTriples(term: UTF8String): UTF8String =
    try UTF8String.fromBytes(CanonicalTermWriter.format(parse(term)))
    catch { case e: RefusedException => throw new SyntaxException(e.rule) }

  def toStruct(term: UTF8String): InternalRow = {
    val scanned = new ScannedTerm(term)
    if (scanned.isLiteral) {
      struct(
        LiteralKind,
        scanned.lexicalForm,
        scanned.datatype,
        scanned.lang,
        scanned.direction
      )
    } else if (scanned.isIri) struct(IriKind, scanned.iri, null, null, null)
    else if (scanned.isBlankNode) struct(BlankNodeKind, scanned.label, null, null, null)
    else TermStruct.of(parse(term))
  }

  def ofStruct(struct: InternalRow): UTF8String = termOf(toTerm(struct))

  // Constructors of terms.

  def iri(value: UTF8String): UTF8String = {
    refuseBrackets(value)
    if (isUnescapedIri(value)) UTF8String.concat(IriStart, value, IriEnd)
    else termOf(Iri(text(value)))
  }

  def blankNode(label: UTF8String): UTF8String = {
    if (label.startsWith(LabelStart)) {
      throw new SyntaxException("expected a blank node label without '_:'")
    }
    if (test(label)(NTriplesBytes.isAsciiLabel)) UTF8String.concat(LabelStart, label)
    else termOf(BlankNode(text(label)))
  }

  def simpleLiteral(value: UTF8String): UTF8String =
    if (isUnescapedForm(value)) UTF8String.concat(Quote, value, Quote)
    else termOf(Literal.simple(text(value)))

  def typedLiteral(value: UTF8String, datatype: UTF8String): UTF8String = {
    refuseBrackets(datatype)
    if (datatype == Datatype.XsdString) simpleLiteral(value)
    else if (isUnescapedForm(value) && isUnescapedIri(datatype)) {
      UTF8String.concat(Quote, value, DatatypeStart, datatype, IriEnd)
    } else termOf(Literal.typed(text(value), text(datatype)))
  }

  def taggedLiteral(value: UTF8String, lang: UTF8String): UTF8String = {
    if (lang.numBytes == 0 || !test(lang)(isLanguageTag)) {
      tagOf(text(lang), null): Unit // a base direction that is not allowed has its own message
      throw new SyntaxException("expected a language tag of letters, digits and hyphens")
    }
    if (isUnescapedForm(value)) UTF8String.concat(Quote, value, TagStart, lang)
    else termOf(Literal.tagged(text(value), lang.toString))
  }

  def directionalLiteral(value: UTF8String, lang: UTF8String, direction: UTF8String): UTF8String =
    taggedLiteral(value, UTF8String.fromString(tagOf(text(lang), text(direction))))

  def triple(subject: UTF8String, predicate: UTF8String, obj: UTF8String): UTF8String = {
    val terms = Array(canonical(subject), canonical(predicate), canonical(obj))
    val triple =
      UTF8String.concat(TripleStart, terms(0), Blank, terms(1), Blank, terms(2), TripleEnd)
    if (terms.exists(_.startsWith(TripleStart))) parse(triple) // may be nested too deeply
    triple
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

  private def struct(fields: UTF8String*): InternalRow = new GenericInternalRow(fields.toArray[Any])

  /** Refuses an IRI that is given as a term with angle brackets, which would otherwise be escaped.
    */
  private def refuseBrackets(iri: UTF8String): Unit =
    if (iri.startsWith(IriStart)) {
      throw new SyntaxException("expected an IRI without angle brackets")
    }

  private def isUnescapedIri(iri: UTF8String): Boolean = test(iri)(IriText.isUnescaped)

  private def isLanguageTag(bytes: Array[Byte], from: Int, to: Int): Boolean =
    NTriplesBytes.endOfLanguage(bytes, from, to) != NTriplesBytes.NoTag

  private def isUnescapedForm(value: UTF8String): Boolean =
    test(value)((bytes, from, to) =>
      LiteralEscapes.next(bytes, from, to) == to && Utf8.isValid(bytes, from, to)
    )

  private def test(string: UTF8String)(accepts: (Array[Byte], Int, Int) => Boolean): Boolean = {
    val bytes = bytesOf(string)
    val from = fromOf(string, bytes)
    accepts(bytes, from, from + string.numBytes)
  }

  /** Returns the array that holds a string's bytes, or a copy of them. */
  private def bytesOf(string: UTF8String): Array[Byte] = string.getBaseObject match {
    case bytes: Array[Byte] => bytes
    case _                  => string.getBytes
  }

  /** The index of a string's first byte in the array that [[bytesOf]] returned. */
  private def fromOf(string: UTF8String, bytes: Array[Byte]): Int =
    if (string.getBaseObject eq bytes) (string.getBaseOffset - Platform.BYTE_ARRAY_OFFSET).toInt
    else 0

  private def parse(term: UTF8String): Term = NTriples.parse(text(term))

  private def termOf(term: Term): UTF8String = UTF8String.fromBytes(term.utf8)

  // The shortest terms are `<>` and `""`.
  private final val MinSize = 2

  // The size in bytes of `ltr` and `rtl`.
  private final val DirectionSize = 3

  private val Quote = UTF8String.fromString("\"")
  private val TagStart = UTF8String.fromString("\"@")
  private val DatatypeStart = UTF8String.fromString("\"^^<")
  private val IriStart = UTF8String.fromString("<")
  private val IriEnd = UTF8String.fromString(">")
  private val LabelStart = UTF8String.fromString("_:")
  private val Blank = UTF8String.fromString(" ")
  private val TripleStart = UTF8String.fromString("<<( ")
  private val TripleEnd = UTF8String.fromString(" )>>")

  /** A term of the fast path, or any other string, which then has none of the kinds. */
  private final class ScannedTerm(term: UTF8String) {
    private[this] val bytes = bytesOf(term)
    private[this] val from = fromOf(term, bytes)
    private[this] val to = from + term.numBytes
    private[this] val literal = new LiteralText

    /** Whether it is a literal with canonical escapes. */
    val isLiteral: Boolean = from < to && bytes(from) == '"' && literal.scan(bytes, from, to) &&
      (literal.datatypeFrom == 0 ||
        IriText.isUnescaped(bytes, literal.datatypeFrom, literal.datatypeTo))

    def isIri: Boolean =
      to - from >= MinSize && bytes(from) == '<' && bytes(to - 1) == '>' &&
        IriText.isUnescaped(bytes, from + 1, to - 1)

    def isBlankNode: Boolean =
      from < to && bytes(from) == '_' && NTriplesBytes.isAsciiBlankNode(bytes, from, to)

    def isResource: Boolean = isIri || isBlankNode

    def iri: UTF8String = slice(from + 1, to - 1)

    def label: UTF8String = slice(from + NTriplesBytes.LabelFrom, to)

    def lexicalForm: UTF8String =
      if (literal.escapes == 0) slice(literal.lexFrom, literal.lexTo)
      else UTF8String.fromBytes(literal.unescaped(bytes))

    def datatype: UTF8String =
      if (literal.tagFrom != 0) Datatype.of(hasDirection)
      else if (literal.datatypeFrom == 0) Datatype.XsdString
      else slice(literal.datatypeFrom, literal.datatypeTo)

    def lang: UTF8String =
      if (literal.tagFrom == 0) null else slice(literal.tagFrom, literal.languageTo)

    def direction: UTF8String =
      if (hasDirection) slice(literal.tagTo - DirectionSize, literal.tagTo) else null

    private def hasDirection: Boolean =
      literal.tagFrom != 0 && literal.languageTo < literal.tagTo

    /** Whether the datatype is xsd:string, which canonical literals omit. */
    def hasXsdString: Boolean = literal.datatypeFrom != 0 && datatype == Datatype.XsdString

    private def slice(from: Int, to: Int): UTF8String =
      UTF8String.fromBytes(bytes, from, to - from)
  }
}
