package org.jellyspark.core.terms

import java.nio.charset.StandardCharsets.UTF_8

/** An RDF term, or the default graph. Immutable but for the cache of its text; equal by content. */
sealed abstract class Term {
  private[this] var text: Array[Byte] = _

  /** The term in canonical N-Triples syntax, UTF-8; made once. Callers must not change it. */
  final def utf8: Array[Byte] = {
    if (text == null) text = NTriples.format(this).getBytes(UTF_8)
    text
  }
}

/** An IRI, without brackets or escapes. */
final case class Iri(value: String) extends Term

/** A blank node; the label is the one that the patch refers to, never renamed. */
final case class BlankNode(label: String) extends Term

/** A literal. At most one of `lang` and `datatype` is set; neither means xsd:string. */
final case class Literal(lex: String, lang: String, datatype: String) extends Term

/** RDF-star's quoted triple. */
final case class QuotedTriple(subject: Term, predicate: Term, obj: Term) extends Term

/** The default graph, as a graph term. It has no text. */
case object DefaultGraph extends Term

object Literal {
  val XsdString = "http://www.w3.org/2001/XMLSchema#string"
  val RdfLangString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"

  def simple(lex: String): Literal = Literal(lex, null, null)

  /** An empty language tag is none: so the reference reads it. */
  def tagged(lex: String, lang: String): Literal =
    Literal(lex, if (lang.isEmpty) null else lang, null)

  /** RDF 1.1: a literal of xsd:string and a simple literal are the same term. */
  def typed(lex: String, datatype: String): Literal =
    Literal(lex, null, if (datatype == XsdString) null else datatype)
}

object QuotedTriple {

  /** How deep quoted triples may be nested; the reference reads no more either. */
  val MaxDepth = 63
}
