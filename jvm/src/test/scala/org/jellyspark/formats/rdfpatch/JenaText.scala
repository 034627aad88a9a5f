package org.jellyspark.formats.rdfpatch

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import scala.collection.mutable
import scala.util.Try

import org.apache.jena.datatypes.TypeMapper
import org.apache.jena.graph.{Node, NodeFactory}
import org.apache.jena.rdfpatch.changes.RDFChangesBase
import org.apache.jena.rdfpatch.text.{RDFChangesWriterText, RDFPatchReaderText}
import org.jellyspark.core._

/** Jena's own writer and reader of RDF Patch, with our rows. */
private[rdfpatch] object JenaText {

  /** What Jena writes for rows. */
  def write(rows: Seq[RowValue]): Array[Byte] = {
    val bytes = new ByteArrayOutputStream
    val out = RDFChangesWriterText.create(bytes)
    out.start()
    rows.foreach { row =>
      row.op match {
        case RowOp.Header            => out.header(row.name, node(row.value))
        case RowOp.TransactionStart  => out.txnBegin()
        case RowOp.TransactionCommit => out.txnCommit()
        case RowOp.TransactionAbort  => out.txnAbort()
        case RowOp.PrefixDelete      => out.deletePrefix(graph(row), row.name)
        case RowOp.End               => out.segment()
        case RowOp.PrefixAdd         =>
          out.addPrefix(graph(row), row.name, row.value.asInstanceOf[Iri].value)
        case RowOp.Add =>
          out.add(graph(row), node(row.subject), node(row.predicate), node(row.obj))
        case RowOp.Delete =>
          out.delete(graph(row), node(row.subject), node(row.predicate), node(row.obj))
      }
    }
    out.finish()
    bytes.toByteArray
  }

  /** The rows that Jena reads; none if it finds something wrong. */
  def read(bytes: Array[Byte]): Option[Seq[RowValue]] = {
    val rows = mutable.Buffer.empty[RowValue]
    val changes = new RDFChangesBase {
      override def header(name: String, value: Node): Unit =
        rows += RowValue(RowOp.Header, name = name, value = term(value))

      override def add(graph: Node, subject: Node, predicate: Node, obj: Node): Unit =
        rows += statement(RowOp.Add, graph, subject, predicate, obj)

      override def delete(graph: Node, subject: Node, predicate: Node, obj: Node): Unit =
        rows += statement(RowOp.Delete, graph, subject, predicate, obj)

      override def addPrefix(graph: Node, name: String, iri: String): Unit =
        rows += RowValue(RowOp.PrefixAdd, name = name, value = Iri(iri), graph = ofGraph(graph))

      override def deletePrefix(graph: Node, name: String): Unit =
        rows += RowValue(RowOp.PrefixDelete, name = name, graph = ofGraph(graph))

      override def txnBegin(): Unit = rows += RowValue(RowOp.TransactionStart)

      override def txnCommit(): Unit = rows += RowValue(RowOp.TransactionCommit)

      override def txnAbort(): Unit = rows += RowValue(RowOp.TransactionAbort)

      override def segment(): Unit = rows += RowValue(RowOp.End)
    }
    Try(new RDFPatchReaderText(new ByteArrayInputStream(bytes)).apply(changes)).toOption
      .map(_ => rows.toSeq)
  }

  /** Whether Jena's nodes can hold a term as it is: they have language tags in one form only. */
  def holds(term: Term): Boolean =
    term == null || term == DefaultGraph || Try(JenaText.term(node(term))).toOption.contains(term)

  def holds(row: RowValue): Boolean =
    Seq(row.subject, row.predicate, row.obj, row.graph, row.value).forall(holds)

  private def node(term: Term): Node = term match {
    case Iri(value)               => NodeFactory.createURI(value)
    case BlankNode(label)         => NodeFactory.createBlankNode(label)
    case Literal(lex, null, null) => NodeFactory.createLiteralString(lex)
    case Literal(lex, null, iri)  =>
      NodeFactory.createLiteralDT(lex, TypeMapper.getInstance.getSafeTypeByName(iri))
    case Literal(lex, tag, _)  => NodeFactory.createLiteralLang(lex, tag)
    case QuotedTriple(s, p, o) => NodeFactory.createTripleTerm(node(s), node(p), node(o))
    case DefaultGraph          => null
  }

  private def graph(row: RowValue): Node = node(row.graph)

  private def term(node: Node): Term =
    if (node.isURI) Iri(node.getURI)
    else if (node.isBlank) BlankNode(node.getBlankNodeLabel)
    else if (node.isTripleTerm) {
      val triple = node.getTriple
      QuotedTriple(term(triple.getSubject), term(triple.getPredicate), term(triple.getObject))
    } else if (node.getLiteralLanguage.nonEmpty) {
      val direction = Option(node.getLiteralBaseDirection).fold("")("--" + _.direction)
      Literal.tagged(node.getLiteralLexicalForm, node.getLiteralLanguage + direction)
    } else Literal.typed(node.getLiteralLexicalForm, node.getLiteralDatatypeURI)

  private def ofGraph(node: Node): Term = if (node == null) DefaultGraph else term(node)

  private def statement(op: RowOp, graph: Node, s: Node, p: Node, o: Node): RowValue =
    RowValue(op, term(s), term(p), term(o), ofGraph(graph))
}
