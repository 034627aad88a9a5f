package org.jellyspark.jelly.decoding

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.rows.AllowedValues
import org.jellyspark.core.terms.{BlankNode, Iri, Literal, NTriples, QuotedTriple, Term}

/** The terms that a filter allows in a position, by kind.
  *
  * @param nulls
  *   whether null passes: in a row without this position, and for the default graph
  * @param texts
  *   the terms in canonical N-Triples syntax; None for any term
  */
private[jelly] final class AllowedTerms(val nulls: Boolean, texts: Option[Set[String]]) {
  private[this] val terms = texts.map(_.flatMap(AllowedTerms.parse))
  private[this] val iris = terms.map(_.collect { case Iri(value) => value })
  private[this] val others = terms.map(_.collect {
    case term if !term.isInstanceOf[Iri] => ByteBuffer.wrap(term.utf8)
  })
  private[this] val hasBlankNodes = terms.forall(_.exists(_.isInstanceOf[BlankNode]))
  private[this] val hasLiterals = terms.forall(_.exists(_.isInstanceOf[Literal]))
  private[this] val hasTriples = terms.forall(_.exists(_.isInstanceOf[QuotedTriple]))

  /** Whether any term is allowed. */
  val any: Boolean = texts.isEmpty

  /** Whether some term of a [[TermKind]] but an IRI may be allowed. If not, such a term need not be
    * made.
    */
  def hasKind(kind: Int): Boolean = kind match {
    case TermKind.BlankNode => hasBlankNodes
    case TermKind.Literal   => hasLiterals
    case _                  => hasTriples
  }

  /** Whether an IRI is allowed, without brackets or escapes. */
  def hasIri(iri: => String): Boolean = iris.forall(_.contains(iri))

  /** Whether a term that is not an IRI is allowed, in canonical N-Triples syntax. */
  def has(utf8: Array[Byte]): Boolean = others.forall(_.contains(ByteBuffer.wrap(utf8)))
}

private[jelly] object AllowedTerms {

  /** The terms of allowed values; null for no filter. */
  def apply(values: AllowedValues): AllowedTerms =
    if (values == null) null else new AllowedTerms(values.nulls, values.texts)

  /** The term that has this canonical text; None if there is none, so no row has it. */
  private def parse(text: String): Option[Term] =
    try Some(NTriples.parse(text)).filter(term => new String(term.utf8, UTF_8) == text)
    catch { case _: NTriples.SyntaxException => None }
}
