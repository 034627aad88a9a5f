package org.jellyspark.codec

import java.io.OutputStream

import com.google.protobuf.CodedOutputStream
import eu.neverblink.jelly.core.RdfProtoSerializationError
import eu.neverblink.jelly.core.internal.EncoderBase
import eu.neverblink.jelly.core.internal.proto.GraphBase
import eu.neverblink.jelly.core.proto.v1._
import eu.neverblink.protoc.java.runtime.ProtoMessage

/** Encodes the rows of one Jelly-Patch stream, in order, on jelly-core's base encoder, so that the
  * bytes are those of Jelly-JVM's own RDF Patch writer. Where they differ, the docs say so: a `PA`
  * or `PD` without a graph always means the default graph here.
  *
  * @param out
  *   where the bytes go; closed by the caller
  */
private[codec] final class PatchEncoder private (
    out: OutputStream,
    options: PatchOptions,
    terms: TermEncoder
) extends EncoderBase[Term](terms) {
  import PatchWire.Row
  import RefusedException.refuse

  def this(out: OutputStream, options: PatchOptions) =
    this(out, options, new TermEncoder(options))

  private[this] val frame = new FrameWriter(out, options.delimited)
  private[this] val quad = RdfQuad.newInstance()
  private[this] val isTriples = options.statementType == StatementType.Triples
  private[this] val endsFrames = options.streamType != StreamType.Frame && options.delimited
  private[this] var started = false

  override protected def getNameTableSize: Int = options.maxNameTableSize

  override protected def getPrefixTableSize: Int = options.maxPrefixTableSize

  override protected def getDatatypeTableSize: Int = options.maxDatatypeTableSize

  override protected def newTriple(): RdfTriple.Mutable = RdfTriple.newInstance()

  override protected def newQuad(): RdfQuad.Mutable = quad.clear()

  /** Encodes one row.
    *
    * @throws RefusedException
    *   if no stream with these options can hold it; nothing may be written after that
    */
  def write(row: PatchRow): Unit = {
    terms.startRow()
    try encode(row)
    catch {
      // All that jelly-core refuses.
      case _: RdfProtoSerializationError => refuse("a typed literal needs a datatype table")
    }
    if (endsFrames && frame.rowCount >= options.frameSize) frame.endFrame()
  }

  private def encode(row: PatchRow): Unit = row.op match {
    case PatchOp.Add               => statement(Row.StatementAdd, row)
    case PatchOp.Delete            => statement(Row.StatementDelete, row)
    case PatchOp.Header            => header(row)
    case PatchOp.PrefixAdd         => namespace(Row.NamespaceAdd, row)
    case PatchOp.PrefixDelete      => namespace(Row.NamespaceDelete, row)
    case PatchOp.TransactionStart  => bare(Row.TransactionStart)
    case PatchOp.TransactionCommit => bare(Row.TransactionCommit)
    case PatchOp.TransactionAbort  => bare(Row.TransactionAbort)
    case PatchOp.End               => end()
  }

  /** Ends the stream: what is still held is written. */
  def finish(): Unit = {
    if (frame.rowCount > 0) frame.endFrame()
    frame.flush()
  }

  /** Closes a patch. In a FLAT stream that means nothing, but the reference ends the frame there
    * too.
    */
  private def end(): Unit =
    if (options.streamType == StreamType.Punctuated) bare(Row.Punctuation)
    else if (options.delimited) frame.endFrame()

  private def statement(field: Int, row: PatchRow): Unit = {
    if (row.subject == null || row.predicate == null || row.obj == null) {
      refuse("A and D need a subject, a predicate and an object")
    }
    start()
    terms.checkStatement(row.subject, row.predicate)
    checkGraph(row.graph)
    val message =
      if (isTriples) tripleInQuadToProto(row.subject, row.predicate, row.obj)
      else quadToProto(row.subject, row.predicate, row.obj, row.graph)
    frame.row(field, message)
  }

  private def header(row: PatchRow): Unit = {
    if (row.name == null || row.value == null) refuse("H needs a name and a value")
    start()
    val value = terms.nodeToProto(getNodeEncoder, row.value)
    val keySize = stringSize(PatchWire.Header.Key, row.name)
    val valueField = value match {
      case _: RdfIri     => PatchWire.Header.Iri
      case _: String     => PatchWire.Header.Bnode
      case _: RdfLiteral => PatchWire.Header.Literal
      case _             => PatchWire.Header.TripleTerm
    }
    frame.row(Row.Header, keySize + TermWire.sizeOf(valueField, value)) { out =>
      if (keySize > 0) out.writeString(PatchWire.Header.Key, row.name)
      TermWire.write(valueField, value, out)
    }
  }

  private def namespace(field: Int, row: PatchRow): Unit = {
    if (row.name == null) refuse("PA and PD need a name")
    checkGraph(row.graph)
    start()
    val value = row.value match {
      case iri: Iri                               => terms.nodeToProto(getNodeEncoder, iri)
      case null if row.op == PatchOp.PrefixDelete => null
      case null                                   => refuse("PA needs a value")
      case _                                      => refuse("the value of PA and PD must be an IRI")
    }
    val graph = namespaceGraph(row.graph)
    val graphField = graph match {
      case _: RdfIri          => PatchWire.Namespace.GraphIri
      case _: String          => PatchWire.Namespace.GraphBnode
      case _: RdfDefaultGraph => PatchWire.Namespace.GraphDefault
      case _                  => PatchWire.Namespace.GraphLiteral
    }
    val nameSize = stringSize(PatchWire.Namespace.Name, row.name)
    val size = nameSize + TermWire.sizeOf(PatchWire.Namespace.Value, value) +
      TermWire.sizeOf(graphField, graph)
    frame.row(field, size) { out =>
      if (nameSize > 0) out.writeString(PatchWire.Namespace.Name, row.name)
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

  private def checkGraph(graph: Term): Unit = graph match {
    case DefaultGraph                       =>
    case _ if isTriples                     => refuse("a stream of triples holds no graphs")
    case _: QuotedTriple                    => refuse("a graph cannot be a quoted triple")
    case _: Literal if !options.generalized =>
      refuse("a literal graph needs generalized statements")
    case _ =>
  }

  /** Empty strings are left out. */
  private def stringSize(field: Int, text: String): Int =
    if (text.isEmpty) 0 else CodedOutputStream.computeStringSize(field, text)

  private def bare(field: Int): Unit = {
    start()
    frame.row(field, 0)(_ => ())
  }

  /** The options row goes out with the first row: an empty stream has none. */
  private def start(): Unit = if (!started) {
    started = true
    val message = OptionsWire.bytes(options)
    frame.row(Row.Options, message.length)(_.writeRawBytes(message))
  }

  override def appendNameEntry(entry: RdfNameEntry): Unit = {
    terms.names.set(entry.getId)
    frame.row(Row.Name, entry)
  }

  override def appendPrefixEntry(entry: RdfPrefixEntry): Unit = {
    terms.prefixes.set(entry.getId)
    frame.row(Row.Prefix, entry)
  }

  override def appendDatatypeEntry(entry: RdfDatatypeEntry): Unit = {
    terms.datatypes.set(entry.getId)
    frame.row(Row.Datatype, entry)
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

/** Writes jelly-core's wire terms as fields of Jelly-Patch's own messages; null is left out. */
private object TermWire {

  def sizeOf(field: Int, term: AnyRef): Int = term match {
    case null          => 0
    case label: String => CodedOutputStream.computeStringSize(field, label)
    case message       => FrameWriter.sizeOf(field, asMessage(message).getSerializedSize)
  }

  def write(field: Int, term: AnyRef, out: CodedOutputStream): Unit = term match {
    case null          =>
    case label: String => out.writeString(field, label)
    case message       =>
      out.writeUInt32NoTag(PatchWire.lengthTag(field))
      out.writeUInt32NoTag(asMessage(message).getSerializedSize)
      asMessage(message).writeTo(out)
  }

  /** All of jelly-core's terms but blank nodes are messages; their common type is `Object`. */
  private def asMessage(term: AnyRef): ProtoMessage[_] = term.asInstanceOf[ProtoMessage[_]]
}

/** RdfPatchOptions as bytes. */
private object OptionsWire {
  import PatchWire.{Options => Field}

  def bytes(options: PatchOptions): Array[Byte] = {
    val bytes = new java.io.ByteArrayOutputStream
    val out = CodedOutputStream.newInstance(bytes)
    out.writeEnum(Field.StatementType, options.statementType.number)
    out.writeEnum(Field.StreamType, options.streamType.number)
    if (options.generalized) out.writeBool(Field.Generalized, true)
    if (options.rdfStar) out.writeBool(Field.RdfStar, true)
    out.writeUInt32(Field.MaxNameTableSize, options.maxNameTableSize)
    if (options.maxPrefixTableSize > 0) {
      out.writeUInt32(Field.MaxPrefixTableSize, options.maxPrefixTableSize)
    }
    if (options.maxDatatypeTableSize > 0) {
      out.writeUInt32(Field.MaxDatatypeTableSize, options.maxDatatypeTableSize)
    }
    out.writeUInt32(Field.Version, PatchOptions.Version)
    out.flush()
    bytes.toByteArray
  }
}
