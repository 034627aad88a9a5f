package org.jellyspark.formats.jellyrdf

import eu.neverblink.jelly.core.proto.v1.{RdfGraphStart, RdfNamespaceDeclaration, RdfQuad}
import org.jellyspark.core.{Row, RowOp, Term}
import org.jellyspark.core.MalformedRowException.malformed
import org.jellyspark.jelly.{JellyDecoder, Malformed, ReadOptions}

/** Decodes the rows of one Jelly-RDF stream, in order.
  *
  * @param namespaces
  *   whether namespaces are rows for the reader
  */
private[jellyrdf] final class RdfDecoder(options: ReadOptions, namespaces: Boolean)
    extends JellyDecoder[RdfRowMessage](options, RdfSchema, new RdfRowMessage, RdfWire.Rows) {
  import RdfWire.Kind

  private[this] var physicalType: PhysicalType = _
  private[this] var version = 0
  // Only for strict reading.
  private[this] var features: FeatureCheck = _
  // The open graph of a stream of graphs; null if there is none.
  private[this] var openGraph: Term = _

  /** Checks that the stream may end here.
    *
    * @throws MalformedRowException
    *   if reading is strict, and a graph is open
    */
  def checkEnd(): Unit =
    if (options.strict && openGraph != null) {
      malformed("the end of the graph", "the end of the input")
    }

  override protected def begin(message: RdfRowMessage): Unit = {
    import RdfOptions.{NamespacesVersion, Version}
    val found = message.options
    version = found.version
    if (version < Version || version > NamespacesVersion) {
      malformed(
        s"version $Version or $NamespacesVersion",
        s"version ${Malformed.unsigned(version)}"
      )
    }
    physicalType = PhysicalType.values
      .find(_.number == found.physicalType)
      .getOrElse(
        malformed("physical type 1, 2 or 3", s"physical type ${found.physicalType}")
      )
    val logicalType = LogicalType
      .ofNumber(found.logicalType)
      .getOrElse(
        malformed(
          "a logical type whose last digit is from 1 to 4",
          s"logical type ${found.logicalType}"
        )
      )
    if (!logicalType.fits(physicalType)) {
      malformed(s"a logical type that fits physical type $physicalType", logicalType.name)
    }
    if (options.strict) features = new FeatureCheck(found)
  }

  override protected def decodeOwn(message: RdfRowMessage, target: Row): Unit =
    message.kind match {
      case Kind.Triple     => triple(message, target)
      case Kind.Quad       => quad(message.quad, target)
      case Kind.GraphStart => startGraph(message.graphStart)
      case Kind.GraphEnd   => endGraph()
      case Kind.Namespace  => namespace(message.namespace, target)
    }

  private def triple(message: RdfRowMessage, target: Row): Unit = {
    if (physicalType == PhysicalType.Quads) misplaced(Kind.Triple)
    if (physicalType == PhysicalType.Graphs) {
      if (openGraph == null) malformed("the start of a graph", "a triple")
      target.graph = openGraph
    }
    if (features != null) features.statement(message.triple)
    statement(message.triple, target)
    target.op = RowOp.Add
  }

  private def quad(quad: RdfQuad, target: Row): Unit = {
    if (physicalType != PhysicalType.Quads) misplaced(Kind.Quad)
    if (features != null) {
      features.statement(quad)
      features.graph(quad)
    }
    statement(quad, target)
    target.graph = graphOfQuad(quad)
    target.op = RowOp.Add
  }

  private def startGraph(start: RdfGraphStart): Unit = {
    if (physicalType != PhysicalType.Graphs) misplaced(Kind.GraphStart)
    if (openGraph != null) malformed("the end of the graph", "the start of another")
    if (start.getGraph == null) malformed("a graph", "none")
    if (features != null) features.graph(start)
    openGraph = graphTerm(start.getGraph)
  }

  private def endGraph(): Unit = {
    if (physicalType != PhysicalType.Graphs) misplaced(Kind.GraphEnd)
    if (openGraph == null) malformed("the start of a graph", "the end of one")
    openGraph = null
  }

  private def namespace(declaration: RdfNamespaceDeclaration, target: Row): Unit = {
    if (version < RdfOptions.NamespacesVersion) {
      malformed(s"no namespace in a stream of version $version", "one")
    }
    if (declaration.getValue == null) malformed("the namespace's IRI", "none")
    // Decoded even where it is no row: its ids count for the terms that follow.
    val value = term(declaration.getValue)
    if (namespaces) {
      target.op = RowOp.PrefixAdd
      target.name = declaration.getName
      target.value = value
    }
  }

  private def misplaced(kind: Int): Nothing =
    malformed(s"no ${Kind.names(kind)} in a stream of $physicalType", "one")
}
