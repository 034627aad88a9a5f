package org.jellyspark.formats.jellypatch

import java.io.OutputStream

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.rows.{Row, RowOp, RowRules}
import org.jellyspark.jelly.encoding.{JellyEncoder, TermPlace}
import org.jellyspark.jelly.wire.{Wire, WireOutput}

/** Encodes the rows of one Jelly-Patch stream, in order, in the same way as Jelly-JVM's RDF Patch
  * writer.
  *
  * There is one difference, which is documented: here, a `PA` or `PD` without a graph always refers
  * to the default graph.
  *
  * @param out
  *   the stream to write to; closed by the caller
  */
private[jellypatch] final class JellyPatchEncoder(out: OutputStream, options: JellyPatchOptions)
    extends JellyEncoder(
      out,
      options,
      splits = options.streamType != StreamType.Frame,
      JellyPatchFields.Rows
    ) {
  import JellyPatchFields.{Header, Kind, Namespace}

  private[this] val isTriples = options.statementType == StatementType.Triples
  private[this] val quadGraph = TermPlace.graph(options.terms)
  private[this] val namespaceGraph = TermPlace.graph(Namespace.GraphIri, options.terms)
  private[this] val headerValue = TermPlace.value(Header.Iri, options.terms)

  override protected def putOptions(out: WireOutput): Unit = {
    out.number(JellyPatchFields.Options.StatementType, options.statementType.number)
    out.number(JellyPatchFields.Options.StreamType, options.streamType.number)
    options.terms.write(out)
    out.number(Wire.Options.Version, JellyPatchOptions.Version)
  }

  override protected def encode(row: Row): Unit = row.op match {
    case RowOp.Add               => statement(Kind.StatementAdd, row)
    case RowOp.Delete            => statement(Kind.StatementDelete, row)
    case RowOp.Header            => header(row)
    case RowOp.PrefixAdd         => namespace(Kind.NamespaceAdd, row)
    case RowOp.PrefixDelete      => namespace(Kind.NamespaceDelete, row)
    case RowOp.TransactionStart  => bare(Kind.TransactionStart, row.op)
    case RowOp.TransactionCommit => bare(Kind.TransactionCommit, row.op)
    case RowOp.TransactionAbort  => bare(Kind.TransactionAbort, row.op)
    case RowOp.End               => end()
  }

  /** Closes a patch. A FLAT stream has no patches, but Jelly-JVM also ends the frame there. */
  private def end(): Unit =
    if (options.streamType == StreamType.Punctuated) bare(Kind.Punctuation, RowOp.End)
    else if (options.delimited) {
      endFrame()
      // Readers do not count patches for frames before the options row.
      if (options.streamType == StreamType.Frame && hasStarted) numbering.number(RowOp.End)
    }

  private def statement(field: Int, row: Row): Unit = {
    RowRules.checkStatement(row)
    start()
    terms.triple(row, message)
    if (!isTriples) terms.graph(row.graphCell, quadGraph, message)
    else checkNoGraph(row)
    put(field, row.op)
  }

  private def header(row: Row): Unit = {
    RowRules.checkHeader(row)
    start()
    message.text(Header.Key, row.name)
    terms.term(row.valueCell, headerValue, message)
    put(Kind.Header, row.op)
  }

  private def namespace(field: Int, row: Row): Unit = {
    RowRules.checkNamespace(row)
    start()
    message.text(Namespace.Name, row.name)
    if (!row.valueCell.isEmpty) {
      terms.iri(row.valueCell, Namespace.Value, RowRules.NamespaceRule, message)
    }
    if (isTriples) checkNoGraph(row)
    else if (!row.graphCell.isEmpty || !terms.isDefaultGraph) {
      terms.graph(row.graphCell, namespaceGraph, message)
    }
    put(field, row.op)
  }

  private def bare(field: Int, op: RowOp): Unit = {
    start()
    put(field, op)
  }

  private def checkNoGraph(row: Row): Unit =
    if (!row.graphCell.isEmpty) refuse(JellyPatchEncoder.NoGraphRule)
}

private object JellyPatchEncoder {
  private val NoGraphRule = "a stream of triples cannot hold a graph: set " +
    s"${JellyPatchOptions.StatementTypeKey} to QUADS"
}
