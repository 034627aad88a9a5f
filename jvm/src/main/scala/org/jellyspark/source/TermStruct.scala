package org.jellyspark.source

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.types.{StringType, StructField, StructType}
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.MalformedRowException.quoted
import org.jellyspark.core.terms.NTriples.SyntaxException
import org.jellyspark.core.terms.{
  BaseDirection,
  BlankNode,
  Iri,
  Literal,
  NTriples,
  TripleTerm,
  Term
}

/** A field of the struct that holds a term ([[TermColumnType.AsStruct]]). */
private[jellyspark] sealed abstract class TermStructField(val name: String) extends Serializable {

  /** Whether the field is defined for a term. */
  def isIn(term: Term): Boolean = true

  /** The field's value for a term; null if the field is not defined for it. */
  def of(term: Term): UTF8String
}

/** Converts terms to structs and back. */
private[jellyspark] object TermStruct {
  val IriKind: UTF8String = UTF8String.fromString("iri")
  val BlankNodeKind: UTF8String = UTF8String.fromString("bnode")
  val LiteralKind: UTF8String = UTF8String.fromString("literal")
  val TripleKind: UTF8String = UTF8String.fromString("triple")

  /** The kind of the term: `iri`, `bnode`, `literal` or `triple`. */
  case object Kind extends TermStructField("kind") {
    override def of(term: Term): UTF8String = term match {
      case _: Iri       => IriKind
      case _: BlankNode => BlankNodeKind
      case _: Literal   => LiteralKind
      case _            => TripleKind
    }
  }

  /** The IRI, blank node label or lexical form; for a triple term, its N-Triples syntax. */
  case object Value extends TermStructField("value") {
    override def of(term: Term): UTF8String = term match {
      case Iri(value)         => UTF8String.fromString(value)
      case BlankNode(label)   => UTF8String.fromString(label)
      case Literal(lex, _, _) => UTF8String.fromString(lex)
      case _                  => UTF8String.fromBytes(term.utf8)
    }
  }

  /** The IRI of the datatype. Every literal has one. */
  case object Datatype extends TermStructField("datatype") {
    override def isIn(term: Term): Boolean = term.isInstanceOf[Literal]

    override def of(term: Term): UTF8String = term match {
      case Literal(_, null, null)     => XsdString
      case Literal(_, null, datatype) => UTF8String.fromString(datatype)
      case Literal(_, tag, _)         => of(BaseDirection.isIn(tag))
      case _                          => null
    }

    /** The datatype of literals with a language tag. */
    def of(hasDirection: Boolean): UTF8String =
      if (hasDirection) RdfDirLangString else RdfLangString

    val XsdString: UTF8String = UTF8String.fromString(Literal.XsdString)
    private val RdfLangString = UTF8String.fromString(Literal.RdfLangString)
    private val RdfDirLangString = UTF8String.fromString(Literal.RdfDirLangString)
  }

  /** The language tag without a base direction, for literals that have one. */
  case object Lang extends TermStructField("lang") {
    override def isIn(term: Term): Boolean = term match {
      case Literal(_, tag, _) => tag != null
      case _                  => false
    }

    override def of(term: Term): UTF8String = term match {
      case Literal(_, tag, _) if tag != null => UTF8String.fromString(BaseDirection.language(tag))
      case _                                 => null
    }
  }

  /** The base direction, `ltr` or `rtl`, for literals that have one. */
  case object Direction extends TermStructField("direction") {
    override def isIn(term: Term): Boolean = term match {
      case Literal(_, tag, _) => tag != null && BaseDirection.isIn(tag)
      case _                  => false
    }

    override def of(term: Term): UTF8String = term match {
      case Literal(_, tag, _) if tag != null => UTF8String.fromString(BaseDirection.of(tag))
      case _                                 => null
    }
  }

  /** All fields, in the order of the struct. */
  val fields: List[TermStructField] = List(Kind, Value, Datatype, Lang, Direction)

  val dataType: StructType = StructType(fields.map(field => StructField(field.name, StringType)))

  /** The struct of a term. */
  def of(term: Term): InternalRow = new GenericInternalRow(fields.map(_.of(term): Any).toArray)

  /** Reads a struct as a term.
    *
    * @throws org.jellyspark.core.terms.NTriples.SyntaxException
    *   if the fields are not those of a term
    */
  def toTerm(struct: InternalRow): Term = {
    def part(index: Int): String =
      if (struct.isNullAt(index)) null else text(struct.getUTF8String(index))
    val (value, datatype, lang, direction) = (part(1), part(2), part(3), part(4))
    if (value == null) throw new SyntaxException("expected a value, found null")
    val kind = struct.getUTF8String(0)
    if (kind != LiteralKind && (datatype != null || lang != null || direction != null)) {
      throw new SyntaxException(
        "expected datatype, lang and direction in literals only, found them in a term of kind " + kind
      )
    }
    kind match {
      case IriKind       => Iri(value)
      case BlankNodeKind => BlankNode(value)
      case LiteralKind   => literal(value, datatype, lang, direction)
      case TripleKind    =>
        NTriples.parse(value) match {
          case triple: TripleTerm => triple
          case _                  =>
            throw new SyntaxException("expected a triple term, found another kind of term")
        }
      case other =>
        throw new SyntaxException(
          s"expected one of the kinds iri, bnode, literal and triple, found $other"
        )
    }
  }

  private def literal(lex: String, datatype: String, lang: String, direction: String): Term =
    if (lang == null) {
      if (direction != null) {
        throw new SyntaxException(s"expected a lang beside the direction $direction, found null")
      }
      Literal.typed(lex, datatype)
    } else {
      val tag = tagOf(lang, direction)
      if (datatype != null && datatype != Literal.datatypeOf(tag)) {
        val expected =
          if (BaseDirection.isIn(tag)) "rdf:dirLangString beside a direction"
          else "rdf:langString beside a lang"
        throw new SyntaxException(s"expected the datatype $expected, found $datatype")
      }
      Literal.tagged(lex, tag)
    }

  /** Joins a language and a base direction, which may be null, to a language tag.
    *
    * @throws org.jellyspark.core.terms.NTriples.SyntaxException
    *   if the base direction is not allowed
    */
  def tagOf(language: String, direction: String): String = {
    val tag = BaseDirection.join(language, direction)
    val expected = BaseDirection.expectedFor(tag)
    if (expected != null) throw new SyntaxException(s"expected $expected, found ${quoted(tag)}")
    tag
  }

  /** Shows a struct of strings in errors. */
  def show(struct: InternalRow): String =
    (0 until struct.numFields).map(struct.get(_, StringType)).mkString("{", ", ", "}")

  /** Converts Spark's string.
    *
    * @throws org.jellyspark.core.terms.NTriples.SyntaxException
    *   if it is not valid UTF-8, which Spark does not check when it casts binary to string
    */
  def text(utf8: UTF8String): String = {
    if (!utf8.isValid) {
      val bytes = utf8.getBytes
      throw new SyntaxException(
        s"expected UTF-8, found ${Utf8.describeInvalid(bytes, 0, bytes.length)}"
      )
    }
    utf8.toString
  }
}
