package org.jellyspark.benchmarks

import eu.neverblink.jelly.core.{JellyOptions, ProtoDecoderConverter, RdfHandler}
import eu.neverblink.jelly.core.internal.ProtoDecoderImpl.AnyStatementDecoder
import eu.neverblink.jelly.core.memory.RowBuffer
import eu.neverblink.jelly.core.proto.v1.RdfStreamFrame
import eu.neverblink.jelly.core.utils.IoUtils

/** jelly-core's decoder at its fastest: the cheapest nodes, and one row and one frame for all, as
  * jelly-jena's own reader has them.
  */
object JellyCoreDecode {

  /** Decodes a delimited file, and returns how many statements it has. */
  def statements(file: String): Long = {
    val counter = new Counter
    val decoder =
      new AnyStatementDecoder(CheapNodes, counter, JellyOptions.DEFAULT_SUPPORTED_OPTIONS)
    val rows = RowBuffer.newSingle(row => decoder.ingestRow(row))
    val frame = RdfStreamFrame.newInstance().setRows(rows)
    Peers.read(file) { in =>
      IoUtils.readStream[RdfStreamFrame](in, () => frame, _ => rows.clear())
    }
    counter.statements
  }

  private final class Counter extends RdfHandler.AnyStatementHandler[AnyRef] {
    var statements = 0L

    override def handleTriple(subject: AnyRef, predicate: AnyRef, obj: AnyRef): Unit =
      statements += 1

    override def handleQuad(
        subject: AnyRef,
        predicate: AnyRef,
        obj: AnyRef,
        graph: AnyRef
    ): Unit = statements += 1
  }

  private final case class BlankNode(label: String)
  private final case class Literal(lex: String, lang: String, datatype: String)
  private final case class TripleTerm(subject: AnyRef, predicate: AnyRef, obj: AnyRef)
  private object DefaultGraph

  /** Nodes that hold what was read and no more: an IRI is its string. */
  private object CheapNodes extends ProtoDecoderConverter[AnyRef, String] {
    override def makeSimpleLiteral(lex: String): AnyRef = Literal(lex, null, null)
    override def makeLangLiteral(lex: String, lang: String): AnyRef = Literal(lex, lang, null)
    override def makeDtLiteral(lex: String, datatype: String): AnyRef =
      Literal(lex, null, datatype)
    override def makeDatatype(datatype: String): String = datatype
    override def makeBlankNode(label: String): AnyRef = BlankNode(label)
    override def makeIriNode(iri: String): AnyRef = iri
    override def makeTripleNode(s: AnyRef, p: AnyRef, o: AnyRef): AnyRef = TripleTerm(s, p, o)
    override def makeDefaultGraphNode(): AnyRef = DefaultGraph
  }
}
