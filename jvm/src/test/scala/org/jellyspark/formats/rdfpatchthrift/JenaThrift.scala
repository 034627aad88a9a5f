package org.jellyspark.formats.rdfpatchthrift

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import scala.collection.mutable

import org.apache.jena.graph.{Node, NodeFactory, Triple}
import org.apache.jena.rdfpatch.RDFChanges
import org.apache.jena.rdfpatch.binary.{RDFChangesWriterBinary, RDFPatchReaderBinary}
import org.jellyspark.core._

/** Jena's own reader and writer of RDF Patch in Thrift, the reference. */
object JenaThrift {

  def write(rows: Seq[RowValue]): Array[Byte] = {
    val out = new ByteArrayOutputStream
    RDFChangesWriterBinary.writeBinary(out, changes => rows.foreach(apply(_, changes)))
    out.toByteArray
  }

  def read(bytes: Array[Byte]): Seq[RowValue] = {
    val rows = mutable.ArrayBuffer.empty[RowValue]
    RDFPatchReaderBinary.read(new ByteArrayInputStream(bytes), new RowCollector(rows))
    rows.toList
  }

  def toNode(term: Term): Node = term match {
    case Iri(value)                   => NodeFactory.createURI(value)
    case BlankNode(label)             => NodeFactory.createBlankNode(label)
    case Literal(lex, null, null)     => NodeFactory.createLiteralString(lex)
    case Literal(lex, null, datatype) =>
      NodeFactory.createLiteralDT(lex, NodeFactory.getType(datatype))
    case Literal(lex, lang, _) => NodeFactory.createLiteralLang(lex, lang)
    case QuotedTriple(s, p, o) =>
      NodeFactory.createTripleTerm(Triple.create(toNode(s), toNode(p), toNode(o)))
    case DefaultGraph => null
  }

  private def toTerm(node: Node): Term =
    if (node == null) DefaultGraph
    else if (node.isURI) Iri(node.getURI)
    else if (node.isBlank) BlankNode(node.getBlankNodeLabel)
    else if (node.isTripleTerm) {
      val triple = node.getTriple
      QuotedTriple(toTerm(triple.getSubject), toTerm(triple.getPredicate), toTerm(triple.getObject))
    } else if (node.getLiteralLanguage.nonEmpty) {
      Literal.tagged(node.getLiteralLexicalForm, node.getLiteralLanguage)
    } else Literal.typed(node.getLiteralLexicalForm, node.getLiteralDatatypeURI)

  private def apply(row: RowValue, changes: RDFChanges): Unit = row.op match {
    case RowOp.Header =>
      changes.header(row.name, toNode(row.value))
    case RowOp.TransactionStart  => changes.txnBegin()
    case RowOp.TransactionCommit => changes.txnCommit()
    case RowOp.TransactionAbort  => changes.txnAbort()
    case RowOp.PrefixAdd         =>
      changes.addPrefix(toNode(row.graph), row.name, toNode(row.value).getURI)
    case RowOp.PrefixDelete => changes.deletePrefix(toNode(row.graph), row.name)
    case RowOp.Add          =>
      changes.add(toNode(row.graph), toNode(row.subject), toNode(row.predicate), toNode(row.obj))
    case RowOp.Delete =>
      changes.delete(toNode(row.graph), toNode(row.subject), toNode(row.predicate), toNode(row.obj))
    case RowOp.End => changes.segment()
  }

  private final class RowCollector(rows: mutable.Buffer[RowValue]) extends RDFChanges {
    private def statement(op: RowOp, g: Node, s: Node, p: Node, o: Node): Unit =
      put(RowValue(op, toTerm(s), toTerm(p), toTerm(o), toTerm(g)))

    private def put(row: RowValue): Unit = rows += row

    override def header(field: String, value: Node): Unit =
      put(RowValue(RowOp.Header, name = field, value = toTerm(value)))

    override def add(g: Node, s: Node, p: Node, o: Node): Unit = statement(RowOp.Add, g, s, p, o)

    override def delete(g: Node, s: Node, p: Node, o: Node): Unit =
      statement(RowOp.Delete, g, s, p, o)

    override def addPrefix(g: Node, prefix: String, iri: String): Unit =
      put(RowValue(RowOp.PrefixAdd, name = prefix, value = Iri(iri), graph = toTerm(g)))

    override def deletePrefix(g: Node, prefix: String): Unit =
      put(RowValue(RowOp.PrefixDelete, name = prefix, graph = toTerm(g)))

    override def txnBegin(): Unit = put(RowValue(RowOp.TransactionStart))

    override def txnCommit(): Unit = put(RowValue(RowOp.TransactionCommit))

    override def txnAbort(): Unit = put(RowValue(RowOp.TransactionAbort))

    override def segment(): Unit = put(RowValue(RowOp.End))

    override def start(): Unit = ()

    override def finish(): Unit = ()
  }
}
