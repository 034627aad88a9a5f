package org.jellyspark.formats.jellyrdf

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows.RowOp
import org.jellyspark.jelly.decoding.{FeatureCheck, FormatDecoder, Position, TermKind}
import org.jellyspark.jelly.wire.{Malformed, NonCanonical, Wire}
import org.jellyspark.jelly.{OptionsMessage, ReadOptions}

/** Decodes the rows that are specific to Jelly-RDF, in the order of the stream.
  *
  * @param namespacesAreRows
  *   whether to return namespace declarations as rows
  */
private[jellyrdf] final class JellyRdfDecoder(
    options: ReadOptions,
    override val namespacesAreRows: Boolean,
    request: BatchRequest,
    isRestart: Boolean
) extends FormatDecoder(options, request, isRestart, JellyRdfFields.Rows) {
  import JellyRdfFields.{GraphStart, Kind, Namespace, Options}

  private[this] var physicalType: PhysicalType = _
  private[this] var version = 0
  // Whether a graph of a GRAPHS stream is open.
  private[this] var inGraph = false
  private[this] var namespaceCount = 0L

  override def hasTransactions: Boolean = false

  override def namespaces: Long = namespaceCount

  override def addField: Int = physicalType match {
    case PhysicalType.Quads   => Kind.Quad
    case PhysicalType.Triples => Kind.Triple
    case PhysicalType.Graphs  => if (inGraph) Kind.Triple else FormatDecoder.NoField
  }

  override def deleteField: Int = FormatDecoder.NoField

  override def positions: Int =
    if (physicalType eq PhysicalType.Quads) Position.OfQuad else Position.OfTriple

  override protected def forget(): Unit = {
    physicalType = null
    version = 0
    inGraph = false
    namespaceCount = 0
  }

  override def endFrame(): RowOp = null

  override def checkEnd(): Unit =
    if (options.strict && inGraph) malformed(JellyRdfDecoder.GraphEnd, "the end of the input")

  override def checkRestart(): Unit =
    if (inGraph) malformed(JellyRdfDecoder.GraphEnd, "a restart point")

  override def begin(message: OptionsMessage): FeatureCheck = {
    import JellyRdfOptions.{NamespacesVersion, Version}
    version = message.number(Wire.Options.Version)
    if (version < Version || version > NamespacesVersion) {
      malformed(
        s"version $Version or $NamespacesVersion",
        s"version ${Malformed.unsigned(version)}"
      )
    }
    val physical = message.number(Options.PhysicalType)
    physicalType = PhysicalType.values
      .find(_.number == physical)
      .getOrElse(malformed("physical type 1, 2 or 3", s"physical type $physical"))
    val logical = message.number(Options.LogicalType)
    val logicalType = LogicalType
      .ofNumber(logical)
      .getOrElse(
        malformed("a logical type whose last digit is from 1 to 4", s"logical type $logical")
      )
    if (!logicalType.fits(physicalType)) {
      malformed(s"a logical type that fits physical type $physicalType", logicalType.name)
    }
    if (options.strict) new FeatureCheck(message) else null
  }

  override def decode(kind: Int, bytes: Array[Byte], from: Int, to: Int): RowOp =
    kind match {
      case Kind.Triple     => triple(bytes, from, to)
      case Kind.Quad       => quad(bytes, from, to)
      case Kind.GraphStart => startGraph(bytes, from, to)
      case Kind.GraphEnd   => endGraph(from, to)
      case Kind.Namespace  => namespace(bytes, from, to)
      case _               => throw NonCanonical
    }

  private def triple(bytes: Array[Byte], from: Int, to: Int): RowOp = {
    if (physicalType eq PhysicalType.Quads) misplaced(Kind.Triple)
    if ((physicalType eq PhysicalType.Graphs) && !inGraph) {
      malformed("the start of a graph", "a triple")
    }
    if (readsTerms) statements.read(bytes, from, to, mayHaveGraph = false, readsGraph = false)
    statements.finish(RowOp.Add)
  }

  private def quad(bytes: Array[Byte], from: Int, to: Int): RowOp = {
    if (physicalType ne PhysicalType.Quads) misplaced(Kind.Quad)
    if (readsTerms) {
      val hasGraph = statements.read(bytes, from, to, mayHaveGraph = true, readsGraph = true)
      if (!hasGraph) statements.repeatGraph(requires = options.strict)
    }
    statements.finish(RowOp.Add)
  }

  private def startGraph(bytes: Array[Byte], from: Int, to: Int): RowOp = {
    if (physicalType ne PhysicalType.Graphs) misplaced(Kind.GraphStart)
    if (inGraph) malformed(JellyRdfDecoder.GraphEnd, "the start of another graph")
    if (readsTerms) {
      var hasGraph = false
      readFields(bytes, from, to) { (field, from, to) =>
        if (field < GraphStart.Iri || field > GraphStart.Literal) throw NonCanonical
        hasGraph = true
        statements.graph.read(TermKind.ofGraph(field - GraphStart.Iri), bytes, from, to)
      }
      if (!hasGraph) malformed("a graph", "no graph")
    }
    inGraph = true
    null
  }

  private def endGraph(from: Int, to: Int): RowOp = {
    if (from < to) throw NonCanonical
    if (physicalType ne PhysicalType.Graphs) misplaced(Kind.GraphEnd)
    if (!inGraph) malformed("the start of a graph", "the end of a graph")
    inGraph = false
    null
  }

  private def namespace(bytes: Array[Byte], from: Int, to: Int): RowOp = {
    if (version < JellyRdfOptions.NamespacesVersion) {
      malformed(s"no namespace row in a stream of version $version", "a namespace row")
    }
    if (readsTerms) {
      clearName()
      var hasValue = false
      readFields(bytes, from, to) { (field, from, to) =>
        field match {
          case Namespace.Name  => readName(bytes, from, to)
          case Namespace.Value =>
            hasValue = true
            // Decoded even if it is not returned as a row, because later IRIs are relative to its
            // ids.
            readValue(TermKind.Iri, bytes, from, to)
          case _ => throw NonCanonical
        }
      }
      if (!hasValue) malformed("the IRI of the namespace", "no IRI")
    }
    namespaceCount += 1
    if (namespacesAreRows) statements.finishWithoutTerms(RowOp.PrefixAdd) else null
  }

  private def misplaced(kind: Int): Nothing = {
    val name = rows.nameOf(kind)
    malformed(s"no $name row in a stream of physical type $physicalType", s"a $name row")
  }
}

private object JellyRdfDecoder {
  private val GraphEnd = "the end of the graph"
}
