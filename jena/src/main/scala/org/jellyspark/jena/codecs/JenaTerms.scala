package org.jellyspark.jena.codecs

import org.apache.jena.graph.{Node, NodeFactory, Triple}

import org.jellyspark.JellySparkException
import org.jellyspark.core.terms.{
  BaseDirection,
  BlankNode,
  DefaultGraph,
  Iri,
  Literal,
  TripleTerm,
  Term
}

/** Converts terms to and from Jena's nodes. */
private[jena] object JenaTerms {

  /** Converts a term to a node; null for the default graph. Jena converts language tags to
    * canonical form.
    */
  def toNode(term: Term): Node = term match {
    case Iri(value)                   => NodeFactory.createURI(value)
    case BlankNode(label)             => NodeFactory.createBlankNode(label)
    case Literal(lex, null, null)     => NodeFactory.createLiteralString(lex)
    case Literal(lex, null, datatype) =>
      NodeFactory.createLiteralDT(lex, NodeFactory.getType(datatype))
    case Literal(lex, tag, _) if BaseDirection.isIn(tag) =>
      NodeFactory.createLiteralDirLang(lex, BaseDirection.language(tag), BaseDirection.of(tag))
    case Literal(lex, tag, _) => NodeFactory.createLiteralLang(lex, tag)
    case TripleTerm(s, p, o)  =>
      NodeFactory.createTripleTerm(Triple.create(toNode(s), toNode(p), toNode(o)))
    case DefaultGraph => null
  }

  /** Converts a node to a term; the default graph for null.
    *
    * @throws org.jellyspark.JellySparkException
    *   if the node is not an RDF term, such as a variable
    */
  def toTerm(node: Node): Term =
    if (node == null) DefaultGraph
    else if (node.isURI) Iri(node.getURI)
    else if (node.isBlank) BlankNode(node.getBlankNodeLabel)
    else if (node.isLiteral) toLiteral(node)
    else if (node.isTripleTerm) {
      val triple = node.getTriple
      TripleTerm(toTerm(triple.getSubject), toTerm(triple.getPredicate), toTerm(triple.getObject))
    } else throw new JellySparkException(s"expected an RDF term, found the node $node")

  /** Converts a literal. */
  def toLiteral(node: Node): Literal =
    if (node.getLiteralLanguage.isEmpty)
      Literal.typed(node.getLiteralLexicalForm, node.getLiteralDatatypeURI)
    else Literal.tagged(node.getLiteralLexicalForm, tagOf(node))

  /** The language tag of a literal, with its base direction. */
  def tagOf(literal: Node): String = {
    val direction = literal.getLiteralBaseDirection
    BaseDirection.join(
      literal.getLiteralLanguage,
      if (direction == null) null else direction.direction
    )
  }
}
