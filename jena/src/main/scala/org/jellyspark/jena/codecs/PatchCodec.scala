package org.jellyspark.jena.codecs

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import org.apache.jena.graph.{Node, NodeFactory, Triple}
import org.apache.jena.rdfpatch.{RDFChanges, RDFPatch, RDFPatchOps}
import org.apache.jena.rdfpatch.changes.{RDFChangesBase, RDFChangesCollector}
import org.apache.jena.sparql.core.Quad
import org.apache.spark.sql.catalyst.encoders.Codec

import org.jellyspark.core.formats.RowWriter
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.terms.{DefaultGraph, Iri, Term}
import org.jellyspark.formats.jellypatch.{JellyPatch, JellyPatchOptions}
import org.jellyspark.jelly.{ReadOptions, TermOptions}
import org.jellyspark.jena.codecs.JenaTerms.{toNode, toTerm}

/** Stores a patch as one undelimited frame of Jelly-Patch, with the codec of this project. Decodes
  * it like `RDFPatchOps.collect`, with null for the default graph.
  */
private[jena] object PatchCodec extends Codec[RDFPatch, Array[Byte]] {
  private val readers = JellyPatch.reader(ReadOptions())

  override def encode(patch: RDFPatch): Array[Byte] = {
    // The patch is applied twice: once to count its terms, and once to write it.
    val repeatable = if (patch.repeatable) patch else RDFPatchOps.collect(patch)
    val sizes = new TableSizes
    repeatable.apply(new TermCounter(sizes))
    val terms = TermOptions(sizes.names, sizes.prefixes, sizes.datatypeTable)
    val out = new ByteArrayOutputStream
    val writer = JellyPatch.writer(JellyPatchOptions(terms = terms, delimited = false)).open(out)
    repeatable.apply(new ChangesWriter(writer))
    writer.finish()
    out.toByteArray
  }

  override def decode(bytes: Array[Byte]): RDFPatch = {
    val collector = new RDFChangesCollector
    val reader = readers.open(new ByteArrayInputStream(bytes), "a patch")
    collector.start()
    while (reader.next()) make(reader.row, collector)
    collector.finish()
    collector.getRDFPatch
  }

  private def make(row: Row, changes: RDFChanges): Unit = row.op match {
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
}

/** Counts the terms of a patch. */
private final class TermCounter(sizes: TableSizes) extends RDFChangesBase {
  override def header(name: String, value: Node): Unit = sizes.add(value)

  override def add(g: Node, s: Node, p: Node, o: Node): Unit = sizes.add(Triple.create(s, p, o), g)

  override def delete(g: Node, s: Node, p: Node, o: Node): Unit = add(g, s, p, o)

  override def addPrefix(g: Node, name: String, iri: String): Unit = {
    sizes.add(NodeFactory.createURI(iri))
    if (g != null) sizes.add(g)
  }

  override def deletePrefix(g: Node, name: String): Unit = if (g != null) sizes.add(g)
}

/** Writes the changes of a patch as rows. */
private final class ChangesWriter(writer: RowWriter) extends RDFChangesBase {
  private[this] val row = new Row

  /** Jena has two IRIs of its own for the default graph, which have no meaning elsewhere. */
  private def toGraph(g: Node): Term =
    if (g == null || Quad.isDefaultGraph(g)) DefaultGraph else toTerm(g)

  private def put(op: RowOp)(fill: Row => Unit): Unit = {
    row.clear()
    row.op = op
    fill(row)
    writer.write(row)
  }

  private def putStatement(op: RowOp, g: Node, s: Node, p: Node, o: Node): Unit = put(op) { row =>
    row.subject = toTerm(s)
    row.predicate = toTerm(p)
    row.obj = toTerm(o)
    row.graph = toGraph(g)
  }

  private def putPrefix(op: RowOp, g: Node, name: String, iri: String): Unit = put(op) { row =>
    row.name = name
    if (iri != null) row.value = Iri(iri)
    row.graph = toGraph(g)
  }

  override def header(name: String, value: Node): Unit = put(RowOp.Header) { row =>
    row.name = name
    row.value = toTerm(value)
  }

  override def add(g: Node, s: Node, p: Node, o: Node): Unit = putStatement(RowOp.Add, g, s, p, o)

  override def delete(g: Node, s: Node, p: Node, o: Node): Unit =
    putStatement(RowOp.Delete, g, s, p, o)

  override def addPrefix(g: Node, name: String, iri: String): Unit =
    putPrefix(RowOp.PrefixAdd, g, name, iri)

  override def deletePrefix(g: Node, name: String): Unit =
    putPrefix(RowOp.PrefixDelete, g, name, null)

  override def txnBegin(): Unit = put(RowOp.TransactionStart)(_ => ())

  override def txnCommit(): Unit = put(RowOp.TransactionCommit)(_ => ())

  override def txnAbort(): Unit = put(RowOp.TransactionAbort)(_ => ())

  override def segment(): Unit = put(RowOp.End)(_ => ())
}
