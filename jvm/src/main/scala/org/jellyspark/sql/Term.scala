package org.jellyspark.sql

import java.nio.charset.StandardCharsets.UTF_8

import scala.reflect.classTag

import org.apache.spark.sql.Encoder
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoders.{StringEncoder, TransformingEncoder}
import org.apache.spark.sql.catalyst.encoders.Codec

import org.jellyspark.InvalidTermException
import org.jellyspark.core.errors.MalformedRowException.quoted
import org.jellyspark.core.rows.RowRules
import org.jellyspark.core.{terms => codec}
import org.jellyspark.core.terms.{BaseDirection, NTriples}

/** An RDF term: an [[Iri]], a [[BlankNode]], a [[Literal]] or a [[TripleTerm]].
  *
  * The columns of rows hold terms as strings in N-Triples syntax. [[Term.parse]] converts such a
  * string to a term, and [[toNTriples]] converts a term to a string:
  *
  * {{{
  * Term.parse("\"chat\"@fr") // Literal("chat", Some("fr"), None, None)
  * Iri("http://example.org/a b").toNTriples // <http://example.org/a\u0020b>
  * }}}
  *
  * Two terms are equal if and only if their strings are equal, except for a [[Literal]] with
  * xsd:string as its datatype.
  */
// Not a Product, because the compiler would then prefer the encoder of `spark.implicits` to ours.
sealed trait Term extends Serializable {

  /** The canonical string of the term, as readers return it.
    *
    * @throws org.jellyspark.InvalidTermException
    *   if a string in the term contains a lone surrogate, or triple terms are nested more than 63
    *   levels deep
    */
  final def toNTriples: String = {
    val string = NTriples.format(Term.toCodec(this, 0))
    if (!UTF_8.newEncoder.canEncode(string)) {
      throw new InvalidTermException("a term holds a lone surrogate")
    }
    string
  }
}

object Term {

  /** Encodes a term as its canonical string. */
  implicit lazy val encoder: Encoder[Term] =
    TransformingEncoder(classTag[Term], StringEncoder, () => NTriplesCodec, nullable = true)

  /** Parses a term in N-Triples syntax, with `<<( s p o )>>` or RDF-star's `<< s p o >>` for triple
    * terms.
    *
    * @throws org.jellyspark.InvalidTermException
    *   if the string is not a term, or has anything before or after the term
    */
  def parse(string: String): Term =
    try fromCodec(NTriples.parse(string))
    catch { case e: NTriples.SyntaxException => throw new InvalidTermException(e.getMessage, e) }

  private def fromCodec(term: codec.Term): Term = term match {
    case codec.Iri(value)                  => Iri(value)
    case codec.BlankNode(label)            => BlankNode(label)
    case codec.Literal(lexical, null, iri) => Literal(lexical, None, Option(iri))
    case codec.Literal(lexical, tag, _)    =>
      Literal(
        lexical,
        Some(BaseDirection.language(tag)),
        direction = Option(BaseDirection.of(tag))
      )
    case codec.TripleTerm(subject, pred, o) =>
      TripleTerm(fromCodec(subject), fromCodec(pred), fromCodec(o))
    case codec.DefaultGraph => throw new InvalidTermException("the default graph is not a term")
  }

  private def toCodec(term: Term, depth: Int): codec.Term = term match {
    case Iri(value)                          => codec.Iri(value)
    case BlankNode(label)                    => codec.BlankNode(label)
    case literal: Literal                    => literal.toCodec
    case TripleTerm(subject, predicate, obj) =>
      if (depth == codec.TripleTerm.MaxDepth) throw new InvalidTermException(RowRules.DepthRule)
      codec.TripleTerm(
        toCodec(subject, depth + 1),
        toCodec(predicate, depth + 1),
        toCodec(obj, depth + 1)
      )
  }

  private object NTriplesCodec extends Codec[Term, String] {
    override def encode(term: Term): String = term.toNTriples
    override def decode(string: String): Term = parse(string)
  }
}

/** An IRI.
  *
  * @param value
  *   the IRI without angle brackets and escapes
  */
final case class Iri(value: String) extends Term

/** A blank node.
  *
  * @param label
  *   the label without `_:`; any string
  */
final case class BlankNode(label: String) extends Term

/** A literal. Without a language tag and a datatype, its datatype is xsd:string.
  *
  * @param lexical
  *   the lexical form without escapes
  * @param language
  *   the language tag without a base direction, not empty
  * @param datatype
  *   the IRI of the datatype. `None` for xsd:string, and if there is a language tag.
  *   `Literal.typed` omits xsd:string.
  * @param direction
  *   the base direction of a literal with a language tag: `ltr` or `rtl`
  * @throws org.jellyspark.InvalidTermException
  *   if there are both a language tag and a datatype, a base direction without a language tag, or
  *   another base direction; or if the language tag contains `--`
  */
final case class Literal(
    lexical: String,
    language: Option[String] = None,
    datatype: Option[String] = None,
    direction: Option[String] = None
) extends Term {
  if (language.isDefined && datatype.isDefined) {
    throw new InvalidTermException("a literal has a language tag or a datatype, not both")
  }
  if (language.exists(BaseDirection.isIn)) {
    throw new InvalidTermException(
      "a language tag must not contain '--': give the base direction as the direction"
    )
  }
  if (direction.isDefined) {
    if (language.forall(_.isEmpty)) {
      throw new InvalidTermException("a literal with a base direction needs a language tag")
    }
    if (!BaseDirection.all(direction.get)) {
      throw new InvalidTermException(
        s"a base direction must be ltr or rtl, not ${quoted(direction.get)}"
      )
    }
  }

  private[sql] def toCodec: codec.Literal =
    if (language.isDefined) {
      codec.Literal.tagged(lexical, BaseDirection.join(language.get, direction.orNull))
    } else if (datatype.isDefined) codec.Literal.typed(lexical, datatype.get)
    else codec.Literal.simple(lexical)
}

object Literal {

  /** Creates a literal with a language tag, or a literal without one if the tag is empty. */
  def tagged(lexical: String, language: String): Literal =
    Literal(lexical, Some(language).filter(_.nonEmpty), None)

  /** Creates a literal with a language tag and a base direction, `ltr` or `rtl`. */
  def tagged(lexical: String, language: String, direction: String): Literal =
    Literal(lexical, Some(language), None, Some(direction))

  /** Creates a literal with a datatype. For xsd:string, the datatype is omitted, because RDF treats
    * both forms as the same term.
    */
  def typed(lexical: String, datatype: String): Literal =
    Literal(lexical, None, Some(datatype).filter(_ != codec.Literal.XsdString))
}

/** A triple term. */
final case class TripleTerm(subject: Term, predicate: Term, `object`: Term) extends Term
