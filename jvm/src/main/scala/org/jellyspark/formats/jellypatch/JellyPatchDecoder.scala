package org.jellyspark.formats.jellypatch

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows.RowOp
import org.jellyspark.jelly.decoding.{FeatureCheck, FormatDecoder, Position, TermKind}
import org.jellyspark.jelly.wire.{Malformed, NonCanonical, Wire}
import org.jellyspark.jelly.{OptionsMessage, ReadOptions}

/** Decodes the rows that are specific to Jelly-Patch, in the order of the stream. */
private[jellypatch] final class JellyPatchDecoder(
    options: ReadOptions,
    request: BatchRequest,
    isRestart: Boolean
) extends FormatDecoder(options, request, isRestart, JellyPatchFields.Rows) {
  import Malformed.unsigned
  import JellyPatchFields.{Header, Kind, Namespace, Options}

  private[this] var isTriples = false
  // Null before the options.
  private[this] var streamType: StreamType = _

  override def begin(options: OptionsMessage): FeatureCheck = {
    val version = options.number(Wire.Options.Version)
    if (version != JellyPatchOptions.Version) {
      malformed(s"version ${JellyPatchOptions.Version}", s"version ${unsigned(version)}")
    }
    val stream = options.number(Options.StreamType)
    streamType = StreamType.values
      .find(_.number == stream)
      .getOrElse(malformed("stream type 1, 2 or 3", s"stream type $stream"))
    val statement = options.number(Options.StatementType)
    isTriples = StatementType.values
      .find(_.number == statement)
      .getOrElse(malformed("statement type 1 or 2", s"statement type $statement")) ==
      StatementType.Triples
    null
  }

  override def decode(kind: Int, bytes: Array[Byte], from: Int, to: Int): RowOp =
    kind match {
      case Kind.StatementAdd      => statement(RowOp.Add, bytes, from, to)
      case Kind.StatementDelete   => statement(RowOp.Delete, bytes, from, to)
      case Kind.NamespaceAdd      => namespace(RowOp.PrefixAdd, bytes, from, to)
      case Kind.NamespaceDelete   => namespace(RowOp.PrefixDelete, bytes, from, to)
      case Kind.Header            => header(bytes, from, to)
      case Kind.TransactionStart  => bare(RowOp.TransactionStart, from, to)
      case Kind.TransactionCommit => bare(RowOp.TransactionCommit, from, to)
      case Kind.TransactionAbort  => bare(RowOp.TransactionAbort, from, to)
      case Kind.Punctuation       =>
        if (streamType != StreamType.Punctuated) {
          malformed(s"no punctuation row in a $streamType stream", "a punctuation row")
        }
        bare(RowOp.End, from, to)
      case _ => throw NonCanonical
    }

  override def addField: Int = Kind.StatementAdd

  override def deleteField: Int = Kind.StatementDelete

  override def positions: Int = if (isTriples) Position.OfTriple else Position.OfQuad

  override protected def forget(): Unit = {
    isTriples = false
    streamType = null
  }

  /** In a FRAME stream, the end of a frame ends a patch. */
  override def endFrame(): RowOp =
    if (streamType eq StreamType.Frame) statements.finishWithoutTerms(RowOp.End) else null

  private def statement(op: RowOp, bytes: Array[Byte], from: Int, to: Int): RowOp = {
    if (readsTerms) {
      // The graph of a triple is not decoded, because later IRIs are not relative to its ids.
      val hasGraph = statements.read(bytes, from, to, mayHaveGraph = true, readsGraph = !isTriples)
      if (!isTriples) { if (!hasGraph) statements.repeatGraph(requires = options.strict) }
      else if (hasGraph) refuseGraph()
    }
    statements.finish(op)
  }

  private def namespace(op: RowOp, bytes: Array[Byte], from: Int, to: Int): RowOp = {
    if (readsTerms) {
      clearName()
      row.value = null
      var hasValue = false
      var hasGraph = false
      readFields(bytes, from, to) { (field, from, to) =>
        field match {
          case Namespace.Name  => readName(bytes, from, to)
          case Namespace.Value =>
            hasValue = true
            readValue(TermKind.Iri, bytes, from, to)
          case Namespace.GraphIri | Namespace.GraphBnode | Namespace.GraphDefault |
              Namespace.GraphLiteral =>
            // Of two, the last one counts, and the first one is not decoded.
            if (hasGraph) throw NonCanonical
            if (!hasValue) requireValue(op)
            hasGraph = true
            readGraph(TermKind.ofGraph(field - Namespace.GraphIri), bytes, from, to)
          case _ => throw NonCanonical
        }
      }
      if (!hasValue) requireValue(op)
      if (!hasGraph && !isTriples) statements.repeatGraph(requires = false)
    }
    if (isTriples) statements.finishWithoutTerms(op) else statements.finishWithGraph(op)
  }

  private def requireValue(op: RowOp): Unit =
    if (op eq RowOp.PrefixAdd) malformed("the IRI of the namespace", "no IRI")

  /** Reads the graph of a prefix. In a stream of triples it is decoded and then dropped, because
    * later IRIs are relative to its ids.
    */
  private def readGraph(kind: Int, bytes: Array[Byte], from: Int, to: Int): Unit =
    if (!isTriples) statements.graph.read(kind, bytes, from, to)
    else {
      refuseGraph()
      dropTerm(kind, bytes, from, to)
    }

  private def header(bytes: Array[Byte], from: Int, to: Int): RowOp = {
    if (readsTerms) {
      clearName()
      var hasValue = false
      readFields(bytes, from, to) { (field, from, to) =>
        if (field == Header.Key) readName(bytes, from, to)
        else if (field >= Header.Iri && field <= Header.TripleTerm && !hasValue) {
          hasValue = true
          readValue(field - Header.Iri, bytes, from, to)
        } else throw NonCanonical
      }
      if (!hasValue) malformed("the value of the header", "no value")
    }
    statements.finishWithoutTerms(RowOp.Header)
  }

  /** Reads a row whose message is empty. */
  private def bare(op: RowOp, from: Int, to: Int): RowOp = {
    if (from < to) throw NonCanonical
    statements.finishWithoutTerms(op)
  }

  private def refuseGraph(): Unit =
    if (options.strict) malformed("no graph in a stream of triples", "a graph")
}
