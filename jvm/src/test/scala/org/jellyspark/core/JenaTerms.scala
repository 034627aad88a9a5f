package org.jellyspark.core

import org.apache.jena.graph.{Node, NodeFactory, Triple}

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
object JenaTerms {

  /** The node of a term; null for the default graph. */
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

  /** The term of a node. */
  def toTerm(node: Node): Term =
    if (node == null) DefaultGraph
    else if (node.isURI) Iri(node.getURI)
    else if (node.isBlank) BlankNode(node.getBlankNodeLabel)
    else if (node.isTripleTerm) {
      val triple = node.getTriple
      TripleTerm(toTerm(triple.getSubject), toTerm(triple.getPredicate), toTerm(triple.getObject))
    } else if (node.getLiteralLanguage.nonEmpty) {
      val direction = Option(node.getLiteralBaseDirection).map(_.direction)
      val tag = BaseDirection.join(node.getLiteralLanguage, direction.orNull)
      Literal.tagged(node.getLiteralLexicalForm, tag)
    } else Literal.typed(node.getLiteralLexicalForm, node.getLiteralDatatypeURI)
}
