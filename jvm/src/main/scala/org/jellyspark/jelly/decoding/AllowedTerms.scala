package org.jellyspark.jelly.decoding

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.rows.AllowedValues
import org.jellyspark.core.terms.{BlankNode, Iri, Literal, NTriples, TripleTerm, Term}

/** The terms that a filter allows in one position of a statement, by kind.
  *
  * @param nulls
  *   whether null is allowed, which stands for the default graph and for rows without this position
  * @param texts
  *   the allowed terms in canonical N-Triples syntax; None if every term is allowed
  */
private[jelly] final class AllowedTerms(val nulls: Boolean, texts: Option[Set[String]]) {
  private[this] val terms = texts.map(_.flatMap(AllowedTerms.parse))
  private[this] val iris = terms.map(_.collect { case Iri(value) => value })
  private[this] val others = terms.map(_.collect {
    case term if !term.isInstanceOf[Iri] => ByteBuffer.wrap(term.utf8)
  })
  private[this] val hasBlankNodes = terms.forall(_.exists(_.isInstanceOf[BlankNode]))
  private[this] val hasLiterals = terms.forall(_.exists(_.isInstanceOf[Literal]))
  private[this] val hasTriples = terms.forall(_.exists(_.isInstanceOf[TripleTerm]))

  /** Whether every term is allowed. */
  val any: Boolean = texts.isEmpty

  /** Whether a term of a [[TermKind]] other than an IRI may be allowed. If not, such a term need
    * not be created.
    */
  def hasKind(kind: Int): Boolean = kind match {
    case TermKind.BlankNode => hasBlankNodes
    case TermKind.Literal   => hasLiterals
    case _                  => hasTriples
  }

  /** Whether an IRI, given without angle brackets and escapes, is allowed. */
  def hasIri(iri: => String): Boolean = iris.forall(_.contains(iri))

  /** Whether a term other than an IRI, given in canonical N-Triples syntax, is allowed. */
  def has(utf8: Array[Byte]): Boolean = others.forall(_.contains(ByteBuffer.wrap(utf8)))
}

private[jelly] object AllowedTerms {

  /** The allowed terms of a filter; null if there is no filter. */
  def apply(values: AllowedValues): AllowedTerms =
    if (values == null) null else new AllowedTerms(values.nulls, values.texts)

  /** Parses the term with this canonical text; None if there is no such term, so that no row can
    * match.
    */
  private def parse(text: String): Option[Term] =
    try Some(NTriples.parse(text)).filter(term => new String(term.utf8, UTF_8) == text)
    catch { case _: NTriples.SyntaxException => None }
}
