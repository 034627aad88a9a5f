package org.jellyspark.jelly.decoding

import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.rows.AllowedValues
import org.jellyspark.core.terms.{BlankNode, Iri, Literal, NTriples, QuotedTriple, Term}

/** The terms that a filter lets a position have, ready to be asked for each.
  *
  * @param nulls
  *   whether there may be none, as in rows without this position and for the default graph
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

  /** Whether some term of a kind of [[TermReader]]'s may be allowed. */
  def hasKind(kind: Int): Boolean = kind match {
    case TermReader.BlankNode => hasBlankNodes
    case TermReader.Literal   => hasLiterals
    case _                    => hasTriples
  }

  def hasIri(iri: => String): Boolean = iris.forall(_.contains(iri))

  /** Whether a term that is no IRI is allowed, in canonical N-Triples syntax. */
  def has(utf8: Array[Byte]): Boolean = others.forall(_.contains(ByteBuffer.wrap(utf8)))
}

private[jelly] object AllowedTerms {

  /** The terms of what is allowed; null for everything. */
  def apply(values: AllowedValues): AllowedTerms =
    if (values == null) null else new AllowedTerms(values.nulls, values.texts)

  /** The term of a text; none where no term has this text. */
  private def parse(text: String): Option[Term] =
    try Some(NTriples.parse(text)).filter(term => new String(term.utf8, UTF_8) == text)
    catch { case _: NTriples.SyntaxException => None }
}
