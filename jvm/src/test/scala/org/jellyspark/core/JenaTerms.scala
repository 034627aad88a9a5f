package org.jellyspark.core

import org.apache.jena.graph.{Node, NodeFactory, Triple}

import org.jellyspark.core.terms.{BlankNode, DefaultGraph, Iri, Literal, QuotedTriple, Term}

/** Converts terms to Jena's nodes and back. */
object JenaTerms {

  /** The default graph is null. */
  def toNode(term: Term): Node = term match {
    case Iri(value)                   => NodeFactory.createURI(value)
    case BlankNode(label)             => NodeFactory.createBlankNode(label)
    case Literal(lex, null, null)     => NodeFactory.createLiteralString(lex)
    case Literal(lex, null, datatype) =>
      NodeFactory.createLiteralDT(lex, NodeFactory.getType(datatype))
    case Literal(lex, lang, _) => NodeFactory.createLiteralLang(lex, lang)
    case QuotedTriple(s, p, o) =>
      NodeFactory.createTripleTerm(Triple.create(toNode(s), toNode(p), toNode(o)))
    case DefaultGraph => null
  }

  /** Converts a node. A base direction becomes part of the language tag. */
  def toTerm(node: Node): Term =
    if (node == null) DefaultGraph
    else if (node.isURI) Iri(node.getURI)
    else if (node.isBlank) BlankNode(node.getBlankNodeLabel)
    else if (node.isTripleTerm) {
      val triple = node.getTriple
      QuotedTriple(toTerm(triple.getSubject), toTerm(triple.getPredicate), toTerm(triple.getObject))
    } else if (node.getLiteralLanguage.nonEmpty) {
      val direction = Option(node.getLiteralBaseDirection).fold("")("--" + _.direction)
      Literal.tagged(node.getLiteralLexicalForm, node.getLiteralLanguage + direction)
    } else Literal.typed(node.getLiteralLexicalForm, node.getLiteralDatatypeURI)
}
