package org.jellyspark.jena.codecs

import java.util.{Map => JavaMap}

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import eu.neverblink.jelly.convert.jena.{JenaDecoderConverter, JenaEncoderConverter}
import eu.neverblink.jelly.core.RdfHandler.AnyStatementHandler
import eu.neverblink.jelly.core.memory.RowBuffer
import eu.neverblink.jelly.core.proto.v1.{
  LogicalStreamType,
  PhysicalStreamType,
  RdfStreamFrame,
  RdfStreamOptions
}
import eu.neverblink.jelly.core.{
  JellyConverterFactory,
  JellyOptions,
  NodeEncoder,
  ProtoEncoder,
  ProtoEncoderConverter
}
import eu.neverblink.protoc.java.runtime.ProtoMessage
import org.apache.jena.datatypes.RDFDatatype
import org.apache.jena.graph.{Node, NodeFactory}

import org.jellyspark.JellySparkException

/** Writes and reads single Jelly frames with Jelly-JVM. */
private[codecs] object Frames {

  /** Returns an undelimited frame with prefixes and everything that `use` passes to the encoder; no
    * bytes if there is nothing.
    *
    * @param sizes
    *   the sizes of the tables for what `use` passes
    * @param prefixes
    *   the IRIs of the prefixes that the frame declares
    */
  def encode(
      physical: PhysicalStreamType,
      logical: LogicalStreamType,
      sizes: TableSizes,
      prefixes: JavaMap[String, String] = JavaMap.of()
  )(use: ProtoEncoder[Node] => Unit): Array[Byte] = {
    val namespaces = prefixes.asScala.toSeq.map { case (prefix, iri) =>
      prefix -> NodeFactory.createURI(iri)
    }
    namespaces.foreach { case (_, iri) => sizes.add(iri) }
    val options = RdfStreamOptions
      .newInstance()
      .setPhysicalType(physical)
      .setLogicalType(logical)
      .setGeneralizedStatements(true)
      .setRdfStar(true)
      .setMaxNameTableSize(sizes.names)
      .setMaxPrefixTableSize(sizes.prefixes)
      .setMaxDatatypeTableSize(sizes.datatypeTable)
    val rows = RowBuffer.newLazyImmutable()
    val encoder =
      NodeConverters.encoder(ProtoEncoder.Params.of(options, namespaces.nonEmpty, rows))
    namespaces.foreach { case (prefix, iri) => encoder.handleNamespace(prefix, iri) }
    use(encoder)
    RdfStreamFrame.newInstance().setRows(rows).toByteArray()
  }

  /** Passes the statements and namespaces of an undelimited frame to a handler.
    *
    * @param what
    *   what the frame should contain, for error messages
    * @throws org.jellyspark.JellySparkException
    *   if the bytes are not a frame
    */
  def decode(bytes: Array[Byte], what: String, handler: AnyStatementHandler[Node]): Unit = {
    val decoder =
      NodeConverters.anyStatementDecoder(handler, JellyOptions.DEFAULT_SUPPORTED_OPTIONS)
    val frame = RdfStreamFrame.newInstance().setRows(RowBuffer.newSingle(decoder.ingestRow(_)))
    try {
      ProtoMessage.mergeFrom[RdfStreamFrame](frame, bytes)
      frame.getRows.clear() // makes the reader pass on the last row
    } catch {
      case NonFatal(e) => throw new JellySparkException(s"$what: ${e.getMessage}", e)
    }
  }
}

/** jelly-jena's converters of nodes. */
private object NodeConverters
    extends JellyConverterFactory[Node, RDFDatatype, NodeToProto.type, JenaDecoderConverter] {
  override val decoderConverter: JenaDecoderConverter = new JenaDecoderConverter

  override def encoderConverter(): NodeToProto.type = NodeToProto
}

/** Keeps the base direction of a literal as a part of its language tag, as in `"hello"@en--ltr`,
  * from which Jena restores it. jelly-jena's own converter drops it.
  */
private object NodeToProto extends ProtoEncoderConverter[Node] {
  private val jena = new JenaEncoderConverter

  override def nodeToProto(encoder: NodeEncoder[Node], node: Node): AnyRef =
    if (node.isLiteral && node.getLiteralBaseDirection != null) {
      encoder.makeLangLiteral(node, node.getLiteralLexicalForm, JenaTerms.tagOf(node))
    } else jena.nodeToProto(encoder, node)

  override def graphNodeToProto(encoder: NodeEncoder[Node], graph: Node): AnyRef =
    if (graph != null && graph.isLiteral) nodeToProto(encoder, graph)
    else jena.graphNodeToProto(encoder, graph)
}
