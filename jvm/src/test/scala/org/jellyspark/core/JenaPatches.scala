package org.jellyspark.core

import scala.collection.mutable

import org.apache.jena.graph.Node
import org.apache.jena.rdfpatch.RDFChanges
import org.apache.jena.rdfpatch.changes.RDFChangesBase

import org.jellyspark.core.JenaTerms.{toNode, toTerm}
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.Iri

/** Converts the rows of patches to calls of Jena's [[RDFChanges]] and back. */
object JenaPatches {

  /** Makes the call for a row. */
  def apply(row: RowValue, changes: RDFChanges): Unit = row.op match {
    case RowOp.Header            => changes.header(row.name, toNode(row.value))
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

  /** The rows for the calls that `use` makes. */
  def collect(use: RDFChanges => Unit): Seq[RowValue] = {
    val rows = mutable.ArrayBuffer.empty[RowValue]
    use(new RowCollector(rows))
    rows.toList
  }

  private final class RowCollector(rows: mutable.Buffer[RowValue]) extends RDFChangesBase {
    private def put(row: RowValue): Unit = rows += row

    override def header(name: String, value: Node): Unit =
      put(RowValue(RowOp.Header, name = name, value = toTerm(value)))

    override def add(g: Node, s: Node, p: Node, o: Node): Unit =
      put(RowValue(RowOp.Add, toTerm(s), toTerm(p), toTerm(o), toTerm(g)))

    override def delete(g: Node, s: Node, p: Node, o: Node): Unit =
      put(RowValue(RowOp.Delete, toTerm(s), toTerm(p), toTerm(o), toTerm(g)))

    override def addPrefix(g: Node, name: String, iri: String): Unit =
      put(RowValue(RowOp.PrefixAdd, name = name, value = Iri(iri), graph = toTerm(g)))

    override def deletePrefix(g: Node, name: String): Unit =
      put(RowValue(RowOp.PrefixDelete, name = name, graph = toTerm(g)))

    override def txnBegin(): Unit = put(RowValue(RowOp.TransactionStart))

    override def txnCommit(): Unit = put(RowValue(RowOp.TransactionCommit))

    override def txnAbort(): Unit = put(RowValue(RowOp.TransactionAbort))

    override def segment(): Unit = put(RowValue(RowOp.End))
  }
}
