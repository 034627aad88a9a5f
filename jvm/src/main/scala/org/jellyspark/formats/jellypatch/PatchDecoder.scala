package org.jellyspark.formats.jellypatch

import eu.neverblink.jelly.core.proto.v1.RdfQuad
import org.jellyspark.core.{Row, RowOp}
import org.jellyspark.core.MalformedRowException.malformed
import org.jellyspark.jelly._

/** Decodes the rows of one Jelly-Patch stream, in order. */
private[jellypatch] final class PatchDecoder(options: ReadOptions)
    extends JellyDecoder[PatchRowMessage](
      options,
      PatchSchema,
      new PatchRowMessage,
      PatchWire.Rows
    ) {
  import Malformed._

  private[this] var isTriples = false

  /** The stream's type; null before its first row. */
  var streamType: StreamType = _

  override protected def begin(message: PatchRowMessage): Unit = {
    val found = message.options
    if (found.version != PatchOptions.Version) {
      malformed(s"version ${PatchOptions.Version}", s"version ${unsigned(found.version)}")
    }
    streamType = StreamType.values
      .find(_.number == found.streamType)
      .getOrElse(malformed("stream type 1, 2 or 3", s"stream type ${found.streamType}"))
    val statementType = StatementType.values
      .find(_.number == found.statementType)
      .getOrElse(malformed("statement type 1 or 2", s"statement type ${found.statementType}"))
    isTriples = statementType == StatementType.Triples
  }

  override protected def decodeOwn(message: PatchRowMessage, target: Row): Unit = {
    import PatchWire.Kind
    message.kind match {
      case Kind.StatementAdd      => statement(RowOp.Add, message.quad, target)
      case Kind.StatementDelete   => statement(RowOp.Delete, message.quad, target)
      case Kind.NamespaceAdd      => namespace(RowOp.PrefixAdd, message.namespace, target)
      case Kind.NamespaceDelete   => namespace(RowOp.PrefixDelete, message.namespace, target)
      case Kind.Header            => header(message.header, target)
      case Kind.TransactionStart  => target.op = RowOp.TransactionStart
      case Kind.TransactionCommit => target.op = RowOp.TransactionCommit
      case Kind.TransactionAbort  => target.op = RowOp.TransactionAbort
      case Kind.Punctuation       =>
        if (streamType != StreamType.Punctuated) {
          malformed(s"no punctuation in a $streamType stream", "one")
        }
        target.op = RowOp.End
    }
  }

  private def statement(op: RowOp, quad: RdfQuad, target: Row): Unit = {
    target.op = op
    statement(quad, target)
    if (isTriples) {
      // The graph of a triple is not even decoded: the last ids stay as they are.
      if (quad.getGraph != null) refuseGraph()
    } else target.graph = graphOfQuad(quad)
  }

  private def namespace(op: RowOp, ns: NamespaceMessage, target: Row): Unit = {
    target.op = op
    target.name = ns.name
    if (ns.value != null) target.value = term(ns.value)
    else if (op == RowOp.PrefixAdd) malformed("the namespace's IRI", "none")
    if (!isTriples) target.graph = graph(ns)
    else if (ns.getGraph != null) {
      refuseGraph()
      // It means nothing, but its ids count for the terms that follow.
      graphTerm(ns.getGraph)
    }
  }

  private def header(header: HeaderMessage, target: Row): Unit = {
    if (header.value == null) malformed("a header's value", "none")
    target.op = RowOp.Header
    target.name = header.key
    target.value = term(header.value)
  }

  private def refuseGraph(): Unit =
    if (options.strict) malformed("no graph in a stream of triples", "one")
}
