package org.jellyspark.codec

import java.io.OutputStream

import com.google.protobuf.CodedOutputStream
import eu.neverblink.jelly.core.{NodeEncoder, ProtoEncoderConverter, RdfProtoSerializationError}
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

  def this(out: OutputStream, options: PatchOptions = PatchOptions()) =
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

/** A rule that a row breaks; [[PatchWriter]] adds the row. */
private[codec] final class RefusedException(val rule: String)
    extends Exception(rule, null, false, false)

private object RefusedException {
  def refuse(rule: String): Nothing = throw new RefusedException(rule)
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

/** Makes jelly-core's wire terms from [[Term]]s, and refuses what a stream with these options
  * cannot hold.
  *
  * All entries of a row stand before it, so an entry that a row's own later term evicts would be
  * read wrong; jelly-core does not see that.
  */
private final class TermEncoder(options: PatchOptions) extends ProtoEncoderConverter[Term] {
  import RefusedException.refuse

  val names = new EvictionGuard("name", options.maxNameTableSize)
  val prefixes = new EvictionGuard("prefix", options.maxPrefixTableSize)
  val datatypes = new EvictionGuard("datatype", options.maxDatatypeTableSize)

  private[this] var lastNameId = 0
  private[this] var lastPrefixId = 0
  private[this] var depth = 0

  def startRow(): Unit = {
    names.startRow()
    prefixes.startRow()
    datatypes.startRow()
  }

  /** Jelly-RDF, "generalized_statements". */
  def checkStatement(subject: Term, predicate: Term): Unit =
    if (!options.generalized) {
      if (subject.isInstanceOf[Literal]) {
        refuse("a literal subject needs generalized statements")
      }
      if (!predicate.isInstanceOf[Iri]) {
        refuse("a predicate that is not an IRI needs generalized statements")
      }
    }

  override def nodeToProto(encoder: NodeEncoder[Term], term: Term): AnyRef = term match {
    case Iri(value)                   => iri(encoder, value)
    case Literal(lex, null, null)     => RdfLiteral.newInstance().setLex(lex)
    case Literal(lex, null, datatype) => typedLiteral(encoder, lex, datatype)
    case Literal(lex, lang, _)        => RdfLiteral.newInstance().setLex(lex).setLangtag(lang)
    case BlankNode(label)             => label
    case QuotedTriple(subject, predicate, obj) =>
      if (!options.rdfStar) refuse("a quoted triple needs RDF-star")
      checkStatement(subject, predicate)
      if (depth == QuotedTriple.MaxDepth) {
        refuse(s"triples are quoted more than ${QuotedTriple.MaxDepth} deep")
      }
      depth += 1
      val triple = encoder.makeQuotedTriple(subject, predicate, obj)
      depth -= 1
      triple
    case DefaultGraph => refuse("the default graph can only be a graph")
  }

  override def graphNodeToProto(encoder: NodeEncoder[Term], term: Term): AnyRef = term match {
    case DefaultGraph => encoder.makeDefaultGraph()
    case other        => nodeToProto(encoder, other)
  }

  private def iri(encoder: NodeEncoder[Term], value: String): RdfIri = {
    val iri = encoder.makeIri(value)
    if (options.maxPrefixTableSize > 0) {
      if (iri.getPrefixId != 0) lastPrefixId = iri.getPrefixId
      prefixes.use(lastPrefixId)
    }
    lastNameId = if (iri.getNameId == 0) lastNameId + 1 else iri.getNameId
    names.use(lastNameId)
    iri
  }

  /** jelly-core caches typed literals whole; asked for an empty one, it caches but the datatype. */
  private def typedLiteral(
      encoder: NodeEncoder[Term],
      lex: String,
      datatype: String
  ): RdfLiteral = {
    val id = encoder.makeDtLiteral(Literal("", null, datatype), "", datatype).getDatatype
    datatypes.use(id)
    RdfLiteral.newInstance().setLex(lex).setDatatype(id)
  }
}

/** Watches that no row evicts a lookup entry that it uses itself. */
private final class EvictionGuard(table: String, size: Int) {
  import RefusedException.refuse

  private[this] val usedInRow = new Array[Long](size + 1)
  private[this] var row = 0L
  private[this] var lastSet = 0

  def startRow(): Unit = row += 1

  def use(id: Int): Unit = usedInRow(id) = row

  /** An entry is written, with the id that it has on the wire. */
  def set(wireId: Int): Unit = {
    lastSet = if (wireId == 0) lastSet + 1 else wireId
    if (usedInRow(lastSet) == row) {
      refuse(s"the row needs more entries at once than the $table table of $size holds")
    }
  }
}
