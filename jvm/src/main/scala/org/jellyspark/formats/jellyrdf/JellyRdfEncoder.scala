package org.jellyspark.formats.jellyrdf

import java.io.OutputStream

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.jelly.encoding.{JellyEncoder, TermPlace}
import org.jellyspark.jelly.wire.{Wire, WireOutput}

/** Encodes the rows of one Jelly-RDF stream, in order, in the same way as Jelly-JVM's stream writer
  * for Jena. That writer does not support GRAPHS streams, which are encoded in the same way as by
  * Jelly-JVM's encoder.
  *
  * @param out
  *   the stream to write to; closed by the caller
  */
private[jellyrdf] final class JellyRdfEncoder(out: OutputStream, options: JellyRdfOptions)
    extends JellyEncoder(
      out,
      options,
      splits = !options.logicalType.isGrouped,
      JellyRdfFields.Rows
    ) {
  import JellyRdfFields.{GraphStart, Kind, Namespace}

  private[this] val physicalType = options.physicalType
  private[this] val isGrouped = options.logicalType.isGrouped
  private[this] val quadGraph = TermPlace.graph(options.terms)
  private[this] val startedGraph = TermPlace.graph(GraphStart.Iri, options.terms)
  // Whether a graph of a GRAPHS stream is open.
  private[this] var isOpen = false
  private[this] var lastFrame = Row.NoNumber

  override def restart(): Unit = {
    super.restart()
    isOpen = false
    lastFrame = Row.NoNumber
  }

  override protected def putOptions(out: WireOutput): Unit = {
    out.text(JellyRdfFields.Options.StreamName, options.streamName)
    out.number(JellyRdfFields.Options.PhysicalType, options.physicalType.number)
    options.terms.write(out)
    out.number(JellyRdfFields.Options.LogicalType, options.logicalType.number)
    out.number(Wire.Options.Version, options.version)
  }

  override protected def prepareRestart(): Unit = closeGraph()

  override protected def encode(row: Row): Unit = {
    if (isGrouped) startElement(row.frame)
    row.op match {
      case RowOp.Add       => statement(row)
      case RowOp.PrefixAdd => namespace(row)
      case _               => refuse(JellyRdfRules.RowRule)
    }
  }

  override def finish(): Unit = {
    closeGraph()
    super.finish()
  }

  /** Ends the frame if the next row belongs to another frame. In a grouped stream, each element (a
    * graph or a dataset) is one frame.
    */
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
    start()
    if (physicalType == PhysicalType.Quads) {
      terms.triple(row, message)
      terms.graph(row.graphCell, quadGraph, message)
      put(Kind.Quad, RowOp.Add)
    } else {
      if (physicalType == PhysicalType.Graphs) openGraphOf(row)
      else if (!row.graphCell.isEmpty) refuse(JellyRdfRules.NoGraphRule)
      terms.triple(row, message)
      put(Kind.Triple, RowOp.Add)
    }
  }

  /** Opens the graph of a row, unless it is already open. */
  private def openGraphOf(row: Row): Unit = if (!isOpen || !terms.repeatsGraph(row.graphCell)) {
    closeGraph()
    terms.graph(row.graphCell, startedGraph, message)
    put(Kind.GraphStart)
    isOpen = true
  }

  private def closeGraph(): Unit = if (isOpen) {
    put(Kind.GraphEnd)
    terms.forgetGraph()
    isOpen = false
  }

  private def namespace(row: Row): Unit = {
    JellyRdfRules.checkNamespace(row, options)
    start()
    message.text(Namespace.Name, row.name)
    terms.iri(row.valueCell, Namespace.Value, JellyRdfRules.NamespaceValueRule, message)
    put(Kind.Namespace, RowOp.PrefixAdd)
    namespaces += 1
  }
}
