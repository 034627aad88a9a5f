package org.jellyspark.jena.engine

import eu.neverblink.jelly.core.{
  JellyConverterFactory,
  NodeEncoder,
  ProtoDecoderConverter,
  ProtoEncoderConverter
}

import org.jellyspark.core.terms._

/** Converts terms for jelly-core, which is independent of the class of terms. */
private[engine] object TermConverter
    extends JellyConverterFactory[Term, String, TermToProto.type, TermFromProto.type] {
  override def encoderConverter(): TermToProto.type = TermToProto

  override def decoderConverter(): TermFromProto.type = TermFromProto
}

private object TermToProto extends ProtoEncoderConverter[Term] {
  override def nodeToProto(encoder: NodeEncoder[Term], term: Term): AnyRef = term match {
    case Iri(value)                   => encoder.makeIri(value)
    case BlankNode(label)             => encoder.makeBlankNode(label)
    case Literal(lex, null, null)     => encoder.makeSimpleLiteral(lex)
    case Literal(lex, null, datatype) => encoder.makeDtLiteral(term, lex, datatype)
    case Literal(lex, lang, _)        => encoder.makeLangLiteral(term, lex, lang)
    case TripleTerm(s, p, o)          => encoder.makeQuotedTriple(s, p, o)
    case DefaultGraph => throw new IllegalArgumentException("the default graph is not a term")
  }

  override def graphNodeToProto(encoder: NodeEncoder[Term], graph: Term): AnyRef =
    if (graph eq DefaultGraph) encoder.makeDefaultGraph() else nodeToProto(encoder, graph)
}

private object TermFromProto extends ProtoDecoderConverter[Term, String] {
  override def makeSimpleLiteral(lex: String): Term = Literal.simple(lex)

  override def makeLangLiteral(lex: String, lang: String): Term =
    Literal.tagged(lex, BaseDirection.check(lang))

  override def makeDtLiteral(lex: String, datatype: String): Term = Literal.typed(lex, datatype)

  override def makeDatatype(datatype: String): String = datatype

  override def makeBlankNode(label: String): Term = BlankNode(label)

  override def makeIriNode(iri: String): Term = Iri(iri)

  override def makeTripleNode(s: Term, p: Term, o: Term): Term = TripleTerm(s, p, o)

  override def makeDefaultGraphNode(): Term = DefaultGraph
}
