package org.jellyspark.formats.jellypatch

import java.io.OutputStream

import com.google.protobuf.CodedOutputStream
import eu.neverblink.jelly.core.internal.proto.GraphBase
import eu.neverblink.jelly.core.proto.v1._
import org.jellyspark.core._
import org.jellyspark.jelly._

/** Encodes the rows of one Jelly-Patch stream, in order, as Jelly-JVM's own RDF Patch writer does.
  * Where they differ, the docs say so: a `PA` or `PD` without a graph always means the default
  * graph here.
  *
  * @param out
  *   where the bytes go; closed by the caller
  */
private[jellypatch] final class PatchEncoder(out: OutputStream, options: PatchOptions)
    extends JellyEncoder(out, options.terms, options.delimited, PatchWire.Rows) {
  import PatchWire.Kind

  private[this] val isTriples = options.statementType == StatementType.Triples
  private[this] val splits = options.streamType != StreamType.Frame && options.delimited

  override protected def optionsMessage: Array[Byte] = OptionsWire.bytes(options)

  override protected def endsFrame(rowsInFrame: Int): Boolean =
    splits && rowsInFrame >= options.frameSize

  override protected def encode(row: Row): Unit = row.op match {
    case RowOp.Add               => statement(Kind.StatementAdd, row)
    case RowOp.Delete            => statement(Kind.StatementDelete, row)
    case RowOp.Header            => header(row)
    case RowOp.PrefixAdd         => namespace(Kind.NamespaceAdd, row)
    case RowOp.PrefixDelete      => namespace(Kind.NamespaceDelete, row)
    case RowOp.TransactionStart  => bare(Kind.TransactionStart)
    case RowOp.TransactionCommit => bare(Kind.TransactionCommit)
    case RowOp.TransactionAbort  => bare(Kind.TransactionAbort)
    case RowOp.End               => end()
  }

  /** Closes a patch. In a FLAT stream that means nothing, but the reference ends the frame there
    * too.
    */
  private def end(): Unit =
    if (options.streamType == StreamType.Punctuated) bare(Kind.Punctuation)
    else if (options.delimited) endFrame()

  private def statement(field: Int, row: Row): Unit = {
    RowRules.checkStatement(row)
    checkStatement(row)
    checkGraph(row.graph, isTriples)
    start()
    val message =
      if (isTriples) tripleInQuadToProto(row.subject, row.predicate, row.obj)
      else quadToProto(row.subject, row.predicate, row.obj, row.graph)
    put(field, message)
  }

  private def header(row: Row): Unit = {
    RowRules.checkHeader(row)
    start()
    val value = term(row.value)
    val keySize = TermWire.sizeOfText(PatchWire.Header.Key, row.name)
    val valueField = value match {
      case _: RdfIri     => PatchWire.Header.Iri
      case _: String     => PatchWire.Header.Bnode
      case _: RdfLiteral => PatchWire.Header.Literal
      case _             => PatchWire.Header.TripleTerm
    }
    put(Kind.Header, keySize + TermWire.sizeOf(valueField, value)) { out =>
      TermWire.writeText(PatchWire.Header.Key, row.name, out)
      TermWire.write(valueField, value, out)
    }
  }

  private def namespace(field: Int, row: Row): Unit = {
    val iri = RowRules.namespace(row)
    checkGraph(row.graph, isTriples)
    start()
    val value = if (iri == null) null else term(iri)
    val graph = namespaceGraph(row.graph)
    val graphField = graph match {
      case _: RdfIri          => PatchWire.Namespace.GraphIri
      case _: String          => PatchWire.Namespace.GraphBnode
      case _: RdfDefaultGraph => PatchWire.Namespace.GraphDefault
      case _                  => PatchWire.Namespace.GraphLiteral
    }
    val size = TermWire.sizeOfText(PatchWire.Namespace.Name, row.name) +
      TermWire.sizeOf(PatchWire.Namespace.Value, value) + TermWire.sizeOf(graphField, graph)
    put(field, size) { out =>
      TermWire.writeText(PatchWire.Namespace.Name, row.name, out)
      TermWire.write(PatchWire.Namespace.Value, value, out)
      TermWire.write(graphField, graph, out)
    }
  }

  /** The graph as it is to be written; null if it is not. */
  private def namespaceGraph(graph: Term): AnyRef =
    if (isTriples || (graph == DefaultGraph && !lastGraphSet)) null
    else {
      val target = new GraphHolder
      graphNodeToProtoWrapped(target, graph)
      target.getGraph
    }

  private def bare(field: Int): Unit = {
    start()
    putEmpty(field)
  }
}

/** Where jelly-core's base encoder puts the graph of a prefix row. */
private final class GraphHolder extends GraphBase.Setters {
  private[this] var graph: AnyRef = _

  override def getGraph: AnyRef = graph

  override def setGraph(term: AnyRef): GraphBase = {
    graph = term
    this
  }
}

/** RdfPatchOptions as bytes. */
private object OptionsWire {
  import PatchWire.{Options => Field}
  import Wire.{Options => Shared}

  def bytes(options: PatchOptions): Array[Byte] = {
    val bytes = new java.io.ByteArrayOutputStream
    val out = CodedOutputStream.newInstance(bytes)
    out.writeEnum(Field.StatementType, options.statementType.number)
    out.writeEnum(Field.StreamType, options.streamType.number)
    if (options.terms.generalized) out.writeBool(Shared.Generalized, true)
    if (options.terms.rdfStar) out.writeBool(Shared.RdfStar, true)
    out.writeUInt32(Shared.MaxNameTableSize, options.terms.maxNameTableSize)
    if (options.terms.maxPrefixTableSize > 0) {
      out.writeUInt32(Shared.MaxPrefixTableSize, options.terms.maxPrefixTableSize)
    }
    if (options.terms.maxDatatypeTableSize > 0) {
      out.writeUInt32(Shared.MaxDatatypeTableSize, options.terms.maxDatatypeTableSize)
    }
    out.writeUInt32(Shared.Version, PatchOptions.Version)
    out.flush()
    bytes.toByteArray
  }
}
