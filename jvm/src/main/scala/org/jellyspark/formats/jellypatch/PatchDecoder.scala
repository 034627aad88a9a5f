package org.jellyspark.formats.jellypatch

import com.google.protobuf.CodedInputStream
import org.jellyspark.core.{Row, RowOp}
import org.jellyspark.core.MalformedRowException.malformed
import org.jellyspark.jelly._

/** Decodes the rows of one Jelly-Patch stream, in order. */
private[jellypatch] final class PatchDecoder(options: ReadOptions) extends JellyDecoder(options) {
  import Malformed._

  private[this] val wireCheck = new WireCheck(PatchSchema)
  private[this] val wire = new PatchRowMessage
  private[this] var firstOptions: OptionsMessage = _
  private[this] var isTriples = false

  /** The stream's type; null before its first row. */
  var streamType: StreamType = _

  /** Decodes one wire row.
    *
    * @return
    *   whether it was a row of the patch, now in `target`, and not the stream's own (options,
    *   lookup entry)
    * @throws MalformedRowException
    *   if it breaks the format
    */
  def decode(bytes: Array[Byte], start: Int, length: Int, target: Row): Boolean = {
    wireCheck.row(bytes, start, length)
    wire.parse(CodedInputStream.newInstance(bytes, start, length))
    if (!hasTables && wire.kind != PatchWire.Kind.Options) {
      if (wire.kind == 0) noKind()
      malformed("the options row first", s"a ${PatchWire.Kind.name(wire.kind)} row")
    }
    target.clear()
    decodeKind(target)
    target.op != null
  }

  private def decodeKind(target: Row): Unit = {
    import PatchWire.Kind
    wire.kind match {
      case Kind.StatementAdd      => statement(RowOp.Add, target)
      case Kind.StatementDelete   => statement(RowOp.Delete, target)
      case Kind.Name              => setName(wire.entry)
      case Kind.Prefix            => setPrefix(wire.entry)
      case Kind.Datatype          => setDatatype(wire.entry)
      case Kind.NamespaceAdd      => namespace(RowOp.PrefixAdd, target)
      case Kind.NamespaceDelete   => namespace(RowOp.PrefixDelete, target)
      case Kind.Header            => header(target)
      case Kind.TransactionStart  => target.op = RowOp.TransactionStart
      case Kind.TransactionCommit => target.op = RowOp.TransactionCommit
      case Kind.TransactionAbort  => target.op = RowOp.TransactionAbort
      case Kind.Punctuation       =>
        if (streamType != StreamType.Punctuated) {
          malformed(s"no punctuation in a $streamType stream", "one")
        }
        target.op = RowOp.End
      case Kind.Options => takeOptions()
      case _            => noKind()
    }
  }

  private def takeOptions(): Unit =
    if (firstOptions == null) {
      checkOptions(wire.options)
      firstOptions = wire.options
    } else if (wire.options != firstOptions) malformed("the same options as before", "others")

  private def checkOptions(found: OptionsMessage): Unit = {
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
    setTables(found.maxNameTableSize, found.maxPrefixTableSize, found.maxDatatypeTableSize)
  }

  private def statement(op: RowOp, target: Row): Unit = {
    val quad = wire.quad
    target.op = op
    statement(quad, target)
    if (isTriples) {
      // The graph of a triple is not even decoded: the last ids stay as they are.
      if (quad.getGraph != null) refuseGraph()
    } else {
      if (quad.getGraph == null && !hasLastGraph && options.strict) nothingToRepeat("a graph")
      target.graph = graph(quad)
    }
  }

  private def namespace(op: RowOp, target: Row): Unit = {
    val ns = wire.namespace
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

  private def header(target: Row): Unit = {
    if (wire.header.value == null) malformed("a header's value", "none")
    target.op = RowOp.Header
    target.name = wire.header.key
    target.value = term(wire.header.value)
  }

  private def refuseGraph(): Unit =
    if (options.strict) malformed("no graph in a stream of triples", "one")
}
