package org.jellyspark.jena.engine

import java.io.OutputStream

import eu.neverblink.jelly.core.memory.RowBuffer
import eu.neverblink.jelly.core.proto.v1.{
  LogicalStreamType,
  PhysicalStreamType,
  RdfStreamFrame,
  RdfStreamOptions
}
import eu.neverblink.jelly.core.{ProtoEncoder, RdfProtoSerializationError}

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.formats.RowEncoder
import org.jellyspark.core.rows.{Row, RowOp, RowRules}
import org.jellyspark.core.terms.{Iri, Term}
import org.jellyspark.formats.jellyrdf.{JellyRdfOptions, JellyRdfRules, PhysicalType}

/** Encodes the rows of one file with jelly-core. Frames end at the same points as in Jelly-JVM's
  * stream writer for Jena. In grouped streams, each element (a graph or a dataset) is a frame.
  *
  * @param out
  *   the stream to write to; closed by the caller
  */
private[engine] final class JellyJvmEncoder(out: OutputStream, options: JellyRdfOptions)
    extends RowEncoder {
  private[this] val buffer = RowBuffer.newLazyImmutable()
  private[this] var encoder = newEncoder()
  private[this] val isGrouped = options.logicalType.isGrouped
  // The open graph of a GRAPHS stream; null if no graph is open.
  private[this] var openGraph: Term = _
  private[this] var hasStarted = false
  private[this] var lastFrame = Row.NoNumber

  override def write(row: Row): Unit = {
    if (isGrouped) startElement(row.frame)
    row.op match {
      case RowOp.Add       => refusing(statement(row))
      case RowOp.PrefixAdd => refusing(namespace(row))
      case _               => refuse(JellyRdfRules.RowRule)
    }
    hasStarted = true
    if (options.delimited && !isGrouped && buffer.size >= options.frameSize) endFrame()
  }

  override def finish(): Unit = {
    closeGraph()
    if (!buffer.isEmpty) endFrame()
  }

  override def restart(): Unit = {
    encoder = newEncoder()
    openGraph = null
    hasStarted = false
    lastFrame = Row.NoNumber
  }

  private def newEncoder() = TermConverter.encoder(
    ProtoEncoder.Params.of(streamOptions, options.namespaces, buffer)
  )

  private def streamOptions: RdfStreamOptions = RdfStreamOptions
    .newInstance()
    .setStreamName(options.streamName)
    .setPhysicalType(PhysicalStreamType.forNumber(options.physicalType.number))
    .setLogicalType(LogicalStreamType.forNumber(options.logicalType.number))
    .setGeneralizedStatements(options.terms.generalized)
    .setRdfStar(options.terms.rdfStar)
    .setMaxNameTableSize(options.terms.maxNameTableSize)
    .setMaxPrefixTableSize(options.terms.maxPrefixTableSize)
    .setMaxDatatypeTableSize(options.terms.maxDatatypeTableSize)

  private def startElement(frame: Long): Unit = {
    if (hasStarted && frame != lastFrame) {
      JellyRdfRules.checkNextFrame(options)
      closeGraph()
      endFrame()
    }
    lastFrame = frame
  }

  private def statement(row: Row): Unit = {
    JellyRdfRules.checkStatement(row)
    RowRules.checkGraph(row.graph)
    options.physicalType match {
      case PhysicalType.Quads =>
        encoder.handleQuad(row.subject, row.predicate, row.obj, row.graph)
      case PhysicalType.Graphs =>
        startGraph(row.graph)
        encoder.handleTriple(row.subject, row.predicate, row.obj)
      case PhysicalType.Triples =>
        if (!row.graphCell.isEmpty) refuse(JellyRdfRules.NoGraphRule)
        encoder.handleTriple(row.subject, row.predicate, row.obj)
    }
  }

  private def startGraph(graph: Term): Unit = if (graph != openGraph) {
    closeGraph()
    encoder.handleGraphStart(graph)
    openGraph = graph
  }

  private def closeGraph(): Unit = if (openGraph != null) {
    encoder.handleGraphEnd()
    openGraph = null
  }

  private def namespace(row: Row): Unit = {
    JellyRdfRules.checkNamespace(row, options)
    if (!row.value.isInstanceOf[Iri]) refuse(JellyRdfRules.NamespaceValueRule)
    encoder.handleNamespace(row.name, row.value)
  }

  private def endFrame(): Unit = {
    val frame = RdfStreamFrame.newInstance().setRows(buffer)
    if (options.delimited) frame.writeDelimitedTo(out) else frame.writeTo(out)
    buffer.clear()
  }

  private def refusing(encode: => Unit): Unit =
    try encode
    catch {
      case e @ (_: RdfProtoSerializationError | _: IllegalArgumentException) =>
        refuse(s"Jelly-JVM: ${e.getMessage}")
    }
}
