package org.jellyspark.formats.rdfpatchthrift

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

import org.apache.jena.graph.{Node, NodeFactory}
import org.apache.jena.rdfpatch.binary.RDFChangesWriterBinary
import org.apache.jena.rdfpatch.{RDFChanges, RDFPatchOps}
import org.apache.jena.sparql.core.{DatasetGraph, DatasetGraphFactory, Quad}
import org.apache.jena.system.Txn
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.core.RowValue
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{DefaultGraph, Iri, Term}
import org.jellyspark.formats.rdfpatch.RdfPatch

/** Reads what Jena records while a dataset changes: its names for the default graph are that graph.
  */
class JenaRecordingSuite extends AnyFunSuite {
  private val defaultGraphs =
    Seq(Quad.defaultGraphNodeGenerated, Quad.defaultGraphIRI).map(name => Iri(name.getURI))

  private def node(name: String): Node = NodeFactory.createURI(s"urn:$name")

  private def change(dataset: DatasetGraph): Unit = {
    def quad(graph: Node, subject: String): Quad =
      Quad.create(graph, node(subject), node("p"), node("o"))
    dataset.add(quad(Quad.defaultGraphNodeGenerated, "s1"))
    dataset.add(quad(Quad.defaultGraphIRI, "s2"))
    dataset.add(quad(node("g"), "s3"))
    dataset.getDefaultGraph.add(quad(null, "s4").asTriple)
    dataset.getDefaultGraph.getPrefixMapping.setNsPrefix("ex", "urn:ex:")
    dataset.getGraph(node("g")).getPrefixMapping.setNsPrefix("ex", "urn:ex:")
    dataset.delete(quad(Quad.defaultGraphNodeGenerated, "s1"))
    dataset.delete(quad(Quad.defaultGraphIRI, "s2"))
  }

  private def record(changes: RDFChanges): Unit = {
    val dataset = RDFPatchOps.changes(DatasetGraphFactory.createTxnMem(), changes)
    Txn.executeWrite(dataset, () => change(dataset))
  }

  // Both languages' tests read the file.
  test("what Jena records is tests/cases_thrift/recorded.trp") {
    val out = new ByteArrayOutputStream
    RDFChangesWriterBinary.writeBinary(out, record(_))
    val file = Files.readAllBytes(Paths.get("tests", "cases_thrift", "recorded.trp"))
    assert(out.toByteArray.sameElements(file))
    val graphs = ThriftRows.read(file).filter(_.op == RowOp.Add).map(_.graph)
    assert(graphs == Seq(DefaultGraph, DefaultGraph, Iri("urn:g"), DefaultGraph))
  }

  test("every row with a graph may name the default graph as Jena does") {
    def rowsIn(graph: Term): Seq[RowValue] = Seq(
      RowValue.add(Iri("s"), graph),
      RowValue.add(Iri("s"), graph).copy(op = RowOp.Delete),
      RowValue(RowOp.PrefixAdd, name = "ex", value = Iri("urn:ex:"), graph = graph),
      RowValue(RowOp.PrefixDelete, name = "ex", graph = graph)
    )
    val bytes = JenaThrift.write(defaultGraphs.flatMap(rowsIn))
    assert(ThriftRows.read(bytes) == defaultGraphs.flatMap(_ => rowsIn(DefaultGraph)))
  }

  test("they are the default graph in text too, where Jena writes them for prefixes") {
    val text = defaultGraphs
      .map(_.value)
      .map(graph => s"A <urn:s> <urn:p> <urn:o> <$graph> .\nPA \"ex\" \"urn:ex:\" <$graph> .\n")
      .mkString
      .getBytes(UTF_8)
    val dataset = DatasetGraphFactory.createTxnMem()
    RDFPatchOps.applyChange(dataset, new ByteArrayInputStream(text))
    assert(dataset.getDefaultGraph.size == 1 && !dataset.listGraphNodes.hasNext)
    assert(dataset.getDefaultGraph.getPrefixMapping.getNsPrefixURI("ex") == "urn:ex:")
    val rows = RowValue.read(text, RdfPatch.reader(strict = false))
    assert(rows.length == 4 && rows.forall(_.graph == DefaultGraph))
  }
}
