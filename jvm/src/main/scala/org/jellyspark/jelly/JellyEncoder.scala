package org.jellyspark.jelly

import java.io.OutputStream

import com.google.protobuf.CodedOutputStream
import eu.neverblink.jelly.core.RdfProtoSerializationError
import eu.neverblink.jelly.core.internal.EncoderBase
import eu.neverblink.jelly.core.proto.v1._
import eu.neverblink.protoc.java.runtime.ProtoMessage
import org.jellyspark.core._
import org.jellyspark.core.RefusedException.refuse

/** Encodes the rows of one Jelly stream, in order, on jelly-core's base encoder, so that the bytes
  * are those of Jelly-JVM's own writers.
  *
  * @param out
  *   where the bytes go; closed by the caller
  * @param fields
  *   the numbers of a row's fields
  */
private[jellyspark] abstract class JellyEncoder private (
    out: OutputStream,
    options: TermOptions,
    delimited: Boolean,
    fields: RowFields,
    terms: TermEncoder
) extends EncoderBase[Term](terms)
    with RowEncoder {

  def this(out: OutputStream, options: TermOptions, delimited: Boolean, fields: RowFields) =
    this(out, options, delimited, fields, new TermEncoder(options))

  private[this] val frame = new FrameWriter(out, delimited)
  private[this] val triple = RdfTriple.newInstance()
  private[this] val quad = RdfQuad.newInstance()
  private[this] var started = false

  override protected def getNameTableSize: Int = options.maxNameTableSize

  override protected def getPrefixTableSize: Int = options.maxPrefixTableSize

  override protected def getDatatypeTableSize: Int = options.maxDatatypeTableSize

  override protected def newTriple(): RdfTriple.Mutable = triple.clear()

  override protected def newQuad(): RdfQuad.Mutable = quad.clear()

  /** The stream's options, as a message. */
  protected def optionsMessage: Array[Byte]

  /** Encodes one row, whatever frame it is in. */
  protected def encode(row: Row): Unit

  /** Whether the frame ends behind the row just encoded. */
  protected def endsFrame(rowsInFrame: Int): Boolean

  final override def write(row: Row): Unit = {
    try encode(row)
    catch {
      // All that jelly-core refuses.
      case _: RdfProtoSerializationError => refuse("a typed literal needs a datatype table")
    }
    if (endsFrame(frame.rowCount)) frame.endFrame()
  }

  override def finish(): Unit = {
    if (frame.rowCount > 0) frame.endFrame()
    frame.flush()
  }

  /** Ends the current frame, empty or not; undelimited output has none to end. */
  protected final def endFrame(): Unit = frame.endFrame()

  /** The options row goes out with the first row: an empty stream has none. */
  protected final def start(): Unit = if (!started) {
    started = true
    val message = optionsMessage
    frame.row(fields.options, message.length)(_.writeRawBytes(message))
  }

  /** Writes a row whose only field is a message. */
  protected final def put(field: Int, message: ProtoMessage[_]): Unit = {
    frame.row(field, message)
    terms.endRow()
  }

  /** Writes a row whose only field is a message of `size` bytes, which `write` writes. */
  protected final def put(field: Int, size: Int)(write: CodedOutputStream => Unit): Unit = {
    frame.row(field, size)(write)
    terms.endRow()
  }

  /** Writes a row whose only field is an empty message. */
  protected final def putEmpty(field: Int): Unit = put(field, 0)(_ => ())

  /** Checks the terms of a complete statement, but not its graph.
    *
    * @throws RefusedException
    *   if one needs options that are off
    */
  protected final def checkStatement(row: Row): Unit =
    terms.checkStatement(row.subject, row.predicate)

  /** Checks the graph of a row.
    *
    * @param isTriples
    *   whether it is a stream of triples, which has none
    * @throws RefusedException
    *   if it cannot be one
    */
  protected final def checkGraph(graph: Term, isTriples: Boolean): Unit = graph match {
    case DefaultGraph                       =>
    case _ if isTriples                     => refuse("a stream of triples holds no graphs")
    case _: Literal if !options.generalized =>
      refuse("a literal graph needs generalized statements")
    case _ => RowRules.checkGraph(graph)
  }

  /** The wire term of a term that repeats none. */
  protected final def term(term: Term): AnyRef = terms.nodeToProto(getNodeEncoder, term)

  /** As [[term]], where it may be the default graph. */
  protected final def graphTerm(term: Term): AnyRef = terms.graphNodeToProto(getNodeEncoder, term)

  override def appendNameEntry(entry: RdfNameEntry): Unit = {
    terms.names.set(entry.getId)
    frame.row(fields.name, entry)
  }

  override def appendPrefixEntry(entry: RdfPrefixEntry): Unit = {
    terms.prefixes.set(entry.getId)
    frame.row(fields.prefix, entry)
  }

  override def appendDatatypeEntry(entry: RdfDatatypeEntry): Unit = {
    terms.datatypes.set(entry.getId)
    frame.row(fields.datatype, entry)
  }
}
