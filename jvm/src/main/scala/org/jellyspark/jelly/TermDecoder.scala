package org.jellyspark.jelly

import eu.neverblink.jelly.core.ProtoDecoderConverter
import org.jellyspark.core._

/** Makes [[Term]]s for jelly-core's decoder. */
private[jelly] object TermDecoder extends ProtoDecoderConverter[Term, String] {
  override def makeSimpleLiteral(lex: String): Term = Literal.simple(lex)

  override def makeLangLiteral(lex: String, lang: String): Term = Literal.tagged(lex, lang)

  override def makeDtLiteral(lex: String, datatype: String): Term = Literal.typed(lex, datatype)

  override def makeDatatype(datatype: String): String = datatype

  override def makeBlankNode(label: String): Term = BlankNode(label)

  override def makeIriNode(iri: String): Term = Iri(iri)

  override def makeTripleNode(s: Term, p: Term, o: Term): Term = QuotedTriple(s, p, o)

  override def makeDefaultGraphNode(): Term = DefaultGraph
}
