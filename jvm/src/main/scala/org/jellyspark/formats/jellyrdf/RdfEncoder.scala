package org.jellyspark.formats.jellyrdf

import java.io.OutputStream

import eu.neverblink.jelly.core.proto.v1._
import org.jellyspark.core._
import org.jellyspark.core.RefusedException.refuse
import org.jellyspark.jelly.JellyEncoder

/** Encodes the rows of one Jelly-RDF stream, in order, as Jelly-JVM's stream writer for Jena does,
  * and streams of graphs as its encoder does.
  *
  * @param out
  *   where the bytes go; closed by the caller
  */
private[jellyrdf] final class RdfEncoder(out: OutputStream, options: RdfOptions)
    extends JellyEncoder(out, options.terms, options.delimited, RdfWire.Rows) {
  import RdfWire.Kind

  private[this] val isTriples = options.physicalType == PhysicalType.Triples
  private[this] val isGrouped = options.logicalType.isGrouped
  private[this] val splits = options.delimited && !isGrouped
  // The open graph of a stream of graphs; null if there is none.
  private[this] var openGraph: Term = _
  private[this] var hasRows = false
  private[this] var lastFrame = Row.NoNumber

  override protected def optionsMessage: Array[Byte] = RdfStreamOptions
    .newInstance()
    .setStreamName(options.streamName)
    .setPhysicalTypeValue(options.physicalType.number)
    .setGeneralizedStatements(options.terms.generalized)
    .setRdfStar(options.terms.rdfStar)
    .setMaxNameTableSize(options.terms.maxNameTableSize)
    .setMaxPrefixTableSize(options.terms.maxPrefixTableSize)
    .setMaxDatatypeTableSize(options.terms.maxDatatypeTableSize)
    .setLogicalTypeValue(options.logicalType.number)
    .setVersion(options.version)
    .toByteArray

  override protected def endsFrame(rowsInFrame: Int): Boolean =
    splits && rowsInFrame >= options.frameSize

  override protected def encode(row: Row): Unit = {
    if (isGrouped) startElement(row.frame)
    row.op match {
      case RowOp.Add       => statement(row)
      case RowOp.PrefixAdd => namespace(row)
      case _               => refuse("a Jelly-RDF stream holds statements and namespaces only")
    }
  }

  override def finish(): Unit = {
    closeGraph()
    super.finish()
  }

  /** Ends the frame if the next row is of another: an element of the stream, a graph or a dataset,
    * is one frame.
    */
  private def startElement(frame: Long): Unit = {
    if (hasRows && frame != lastFrame) {
      if (!options.delimited) refuse("a stream without lengths of frames is one frame")
      closeGraph()
      endFrame()
    }
    hasRows = true
    lastFrame = frame
  }

  private def statement(row: Row): Unit = {
    if (row.subject == null || row.predicate == null || row.obj == null) {
      refuse("a statement needs a subject, a predicate and an object")
    }
    checkStatement(row)
    checkGraph(row.graph, isTriples)
    start()
    options.physicalType match {
      case PhysicalType.Triples =>
        put(Kind.Triple, tripleToProto(row.subject, row.predicate, row.obj))
      case PhysicalType.Quads =>
        put(Kind.Quad, quadToProto(row.subject, row.predicate, row.obj, row.graph))
      case PhysicalType.Graphs =>
        openGraphOf(row.graph)
        put(Kind.Triple, tripleToProto(row.subject, row.predicate, row.obj))
    }
  }

  private def openGraphOf(graph: Term): Unit = if (graph != openGraph) {
    closeGraph()
    put(Kind.GraphStart, graphStartToProto(graph))
    openGraph = graph
  }

  private def closeGraph(): Unit = if (openGraph != null) {
    putEmpty(Kind.GraphEnd)
    openGraph = null
  }

  private def namespace(row: Row): Unit = {
    if (!options.namespaces) refuse(s"a namespace needs the option ${RdfOptions.NamespacesKey}")
    if (
      row.subject != null || row.predicate != null || row.obj != null || row.graph != DefaultGraph
    ) refuse("a row is a statement or a namespace")
    if (row.name == null || row.value == null) refuse("a namespace needs a name and a value")
    start()
    val value = row.value match {
      case iri: Iri => term(iri).asInstanceOf[RdfIri]
      case _        => refuse("the value of a namespace must be an IRI")
    }
    put(Kind.Namespace, RdfNamespaceDeclaration.newInstance().setName(row.name).setValue(value))
  }
}
