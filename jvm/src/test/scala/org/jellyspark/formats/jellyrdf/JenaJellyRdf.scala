package org.jellyspark.formats.jellyrdf

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import scala.collection.mutable

import eu.neverblink.jelly.convert.jena.JenaConverterFactory
import eu.neverblink.jelly.convert.jena.riot.{JellyFormatVariant, JellyReader, JellyStreamWriter}
import eu.neverblink.jelly.core.ProtoEncoder
import eu.neverblink.jelly.core.memory.RowBuffer
import eu.neverblink.jelly.core.proto.v1._
import org.apache.jena.graph.{Node, Triple}
import org.apache.jena.riot.system.StreamRDF
import org.apache.jena.sparql.core.Quad
import org.apache.jena.sparql.util.Context

import org.jellyspark.core.JenaTerms.{toNode, toTerm}
import org.jellyspark.core.RowValue
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{DefaultGraph, Term}

/** The reference: Jelly-JVM's reader and writers for Jena. */
object JenaJellyRdf {
  private val jena = JenaConverterFactory.getInstance()

  /** Writes rows with the stream writer, which knows TRIPLES and QUADS only. */
  def write(rows: Seq[RowValue], options: JellyRdfOptions): Array[Byte] = {
    val variant = JellyFormatVariant
      .builder()
      .options(streamOptions(options))
      .enableNamespaceDeclarations(options.namespaces)
      .isDelimited(options.delimited)
      .frameSize(options.frameSize)
      .build()
    val out = new ByteArrayOutputStream
    val writer = JellyStreamWriter.create(jena, variant, out)
    writer.start()
    rows.foreach { row =>
      if (row.op == RowOp.PrefixAdd) writer.prefix(row.name, toNode(row.value).getURI)
      else if (row.graph == DefaultGraph) writer.triple(toTriple(row))
      else writer.quad(new Quad(toNode(row.graph), toTriple(row)))
    }
    writer.finish()
    out.toByteArray
  }

  /** Writes with the encoder; the caller ends the frames. */
  def encode(options: JellyRdfOptions)(use: FrameEncoder => Unit): Array[Byte] = {
    val encoder = new FrameEncoder(options)
    use(encoder)
    encoder.out.toByteArray
  }

  /** The encoder, and the frame that it fills. */
  final class FrameEncoder(options: JellyRdfOptions) {
    val out = new ByteArrayOutputStream
    private val buffer = RowBuffer.newLazyImmutable()
    private val encoder = jena.encoder(
      ProtoEncoder.Params.of(streamOptions(options), options.namespaces, buffer)
    )

    def rowCount: Int = buffer.size

    def startGraph(graph: Term): Unit = encoder.handleGraphStart(toNode(graph))

    def endGraph(): Unit = encoder.handleGraphEnd()

    /** Encodes a namespace, a triple or, in a QUADS stream, a quad. */
    def put(row: RowValue): Unit = {
      val (s, p, o) = (row.subject, row.predicate, row.obj)
      if (row.op == RowOp.PrefixAdd) encoder.handleNamespace(row.name, toNode(row.value))
      else if (options.physicalType == PhysicalType.Quads) {
        encoder.handleQuad(toNode(s), toNode(p), toNode(o), toNode(row.graph))
      } else encoder.handleTriple(toNode(s), toNode(p), toNode(o))
    }

    def endFrame(): Unit = {
      val frame = RdfStreamFrame.newInstance().setRows(buffer)
      if (options.delimited) frame.writeDelimitedTo(out) else frame.writeTo(out)
      buffer.clear()
    }
  }

  def read(bytes: Array[Byte]): Seq[RowValue] = {
    val rows = mutable.ArrayBuffer.empty[RowValue]
    new JellyReader(jena)
      .read(new ByteArrayInputStream(bytes), null, null, new RowCollector(rows), new Context)
    rows.toList
  }

  private def streamOptions(options: JellyRdfOptions): RdfStreamOptions = RdfStreamOptions
    .newInstance()
    .setStreamName(options.streamName)
    .setPhysicalType(PhysicalStreamType.forNumber(options.physicalType.number))
    .setLogicalType(LogicalStreamType.forNumber(options.logicalType.number))
    .setGeneralizedStatements(options.terms.generalized)
    .setRdfStar(options.terms.rdfStar)
    .setMaxNameTableSize(options.terms.maxNameTableSize)
    .setMaxPrefixTableSize(options.terms.maxPrefixTableSize)
    .setMaxDatatypeTableSize(options.terms.maxDatatypeTableSize)

  private def toTriple(row: RowValue): Triple =
    Triple.create(toNode(row.subject), toNode(row.predicate), toNode(row.obj))

  private final class RowCollector(rows: mutable.Buffer[RowValue]) extends StreamRDF {
    private def put(triple: Triple, graph: Term): Unit = rows += RdfBytes.statement(
      toTerm(triple.getSubject),
      toTerm(triple.getPredicate),
      toTerm(triple.getObject),
      graph
    )

    override def triple(triple: Triple): Unit = put(triple, DefaultGraph)

    override def quad(quad: Quad): Unit = put(quad.asTriple, graphOf(quad.getGraph))

    override def prefix(name: String, iri: String): Unit = rows += RdfBytes.namespace(name, iri)

    override def base(base: String): Unit = ()

    override def start(): Unit = ()

    override def finish(): Unit = ()

    private def graphOf(node: Node): Term =
      if (node == null || Quad.isDefaultGraph(node)) DefaultGraph else toTerm(node)
  }
}
