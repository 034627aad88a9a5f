package org.jellyspark.formats.rdfpatchthrift

import java.io.OutputStream

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.formats.RowEncoder
import org.jellyspark.core.rows.{Row, RowOp, RowRules}
import org.jellyspark.core.terms.{
  BlankNode,
  DefaultGraph,
  Iri,
  JenaDefaultGraph,
  Literal,
  TripleTerm,
  Term
}

/** Writes rows in the same way as Jena's writer, except that an rdf:langString without a language
  * tag keeps its datatype.
  *
  * @param out
  *   the stream to write to; closed by the caller
  */
private[rdfpatchthrift] final class ThriftEncoder(out: OutputStream) extends RowEncoder {
  import ThriftSchema.{Header, Literal => LiteralField, PatchRow, Prefix, Statement, Text}
  import ThriftSchema.{Term => TermField}

  private[this] val bytes = new CompactProtocolWriter(out)

  override def write(row: Row): Unit = {
    row.op match {
      case RowOp.Add          => statement(PatchRow.DataAdd, row)
      case RowOp.Delete       => statement(PatchRow.DataDel, row)
      case RowOp.Header       => header(row)
      case RowOp.PrefixAdd    => prefixAdd(row)
      case RowOp.PrefixDelete => prefixDelete(row)
      case op                 =>
        bytes.field(PatchRow.Txn, CompactProtocol.I32)
        bytes.i32(ThriftSchema.transactionOps.indexOf(op))
    }
    bytes.stop()
    bytes.flush(all = false)
  }

  override def finish(): Unit = bytes.flush(all = true)

  /** Does nothing, because rows do not depend on each other. */
  override def restart(): Unit = ()

  private def statement(field: Int, row: Row): Unit = {
    RowRules.checkStatement(row)
    JenaDefaultGraph.check(row.graph)
    bytes.field(field, CompactProtocol.Struct)
    term(Statement.S, row.subject)
    term(Statement.P - Statement.S, row.predicate)
    term(Statement.O - Statement.P, row.obj)
    if (row.graph ne DefaultGraph) term(Statement.G - Statement.O, row.graph)
    bytes.stop()
  }

  private def header(row: Row): Unit = {
    RowRules.checkHeader(row)
    bytes.field(PatchRow.Header, CompactProtocol.Struct)
    text(Header.Name, row.name)
    term(Header.Value - Header.Name, row.value)
    bytes.stop()
  }

  private def prefixAdd(row: Row): Unit = {
    val iri = RowRules.namespace(row)
    prefix(PatchRow.PrefixAdd, row)
    text(Prefix.IriStr - Prefix.Name, iri.value)
    bytes.stop()
  }

  private def prefixDelete(row: Row): Unit = {
    RowRules.checkPrefixDelete(row)
    prefix(PatchRow.PrefixDel, row)
    bytes.stop()
  }

  /** Begins a `PA` or `PD` by writing its graph, if there is one, and its name. */
  private def prefix(field: Int, row: Row): Unit = {
    JenaDefaultGraph.check(row.graph)
    bytes.field(field, CompactProtocol.Struct)
    if (row.graph eq DefaultGraph) text(Prefix.Name, row.name)
    else {
      term(Prefix.GraphNode, row.graph)
      text(Prefix.Name - Prefix.GraphNode, row.name)
    }
  }

  /** Writes a field with a term.
    *
    * @param distance
    *   the difference between the field's id and that of the previous field
    * @param depth
    *   the number of triple terms around the term
    */
  private def term(distance: Int, term: Term, depth: Int = 0): Unit = {
    bytes.field(distance, CompactProtocol.Struct)
    term match {
      case Iri(value) =>
        bytes.field(TermField.Iri, CompactProtocol.Struct)
        text(Text, value)
      case BlankNode(label) =>
        bytes.field(TermField.Bnode, CompactProtocol.Struct)
        text(Text, label)
      case Literal(lex, lang, datatype) =>
        bytes.field(TermField.Literal, CompactProtocol.Struct)
        text(LiteralField.Lex, lex)
        if (lang != null) text(LiteralField.Langtag - LiteralField.Lex, lang)
        else if (datatype != null) text(LiteralField.Datatype - LiteralField.Lex, datatype)
      case TripleTerm(subject, predicate, obj) => triple(subject, predicate, obj, depth)
      case DefaultGraph                        => refuse(RowRules.DefaultGraphRule)
    }
    bytes.stop()
    bytes.stop()
  }

  private def triple(subject: Term, predicate: Term, obj: Term, depth: Int): Unit = {
    if (depth == TripleTerm.MaxDepth) refuse(RowRules.DepthRule)
    bytes.field(TermField.TripleTerm, CompactProtocol.Struct)
    term(Statement.S, subject, depth + 1)
    term(Statement.P - Statement.S, predicate, depth + 1)
    term(Statement.O - Statement.P, obj, depth + 1)
  }

  private def text(distance: Int, text: String): Unit = {
    bytes.field(distance, CompactProtocol.String)
    bytes.string(text)
  }
}
