package org.jellyspark.formats.rdfpatchthrift

import java.io.ByteArrayOutputStream

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{BlankNode, Iri, Literal, TripleTerm}
import org.jellyspark.core.{RowValue, TermGenerators}

class ThriftWriterSuite extends AnyFunSuite {
  private val s = Iri("s")

  private def refused(row: RowValue): String = {
    val out = new ByteArrayOutputStream
    val writer = RdfPatchThrift.writer(Map.empty[String, String]).open(out)
    val error = intercept[UnwritableRowException](writer.write(row.toRow()))
    writer.finish()
    assert(out.size == 0)
    error.rule
  }

  test("incomplete rows are refused") {
    val statement = "A and D need a subject, a predicate and an object"
    assert(refused(RowValue(RowOp.Add, null, s, s)) == statement)
    assert(refused(RowValue(RowOp.Add, s, null, s)) == statement)
    assert(refused(RowValue(RowOp.Delete, s, s, null)) == statement)
    assert(refused(RowValue(RowOp.Header, value = s)) == "H needs a name and a value")
    assert(refused(RowValue(RowOp.Header, name = "k")) == "H needs a name and a value")
    assert(refused(RowValue(RowOp.PrefixAdd, value = s)) == "PA and PD need a name")
    assert(refused(RowValue(RowOp.PrefixDelete)) == "PA and PD need a name")
    assert(refused(RowValue(RowOp.PrefixAdd, name = "p")) == "PA needs a value")
  }

  test("graphs that are read as the default graph are refused") {
    val rule =
      "a graph cannot be <urn:x-arq:DefaultGraph> or <urn:x-arq:DefaultGraphNode>, which this " +
        "format reads as the default graph: use null for the default graph"
    for (graph <- Seq(Iri("urn:x-arq:DefaultGraph"), Iri("urn:x-arq:DefaultGraphNode"))) {
      assert(refused(RowValue(RowOp.Add, s, s, s, graph)) == rule)
      assert(refused(RowValue(RowOp.Delete, s, s, s, graph)) == rule)
      assert(refused(RowValue(RowOp.PrefixAdd, graph = graph, name = "p", value = s)) == rule)
      assert(refused(RowValue(RowOp.PrefixDelete, graph = graph, name = "p")) == rule)
    }
  }

  test("rows that the format cannot hold are refused") {
    assert(
      refused(RowValue(RowOp.PrefixDelete, name = "p", value = s)) ==
        "the value of PD must be null in this format"
    )
    assert(
      refused(RowValue(RowOp.PrefixAdd, name = "p", value = BlankNode("b"))) ==
        "the value of PA and PD must be an IRI"
    )
    assert(
      refused(RowValue.header(TermGenerators.nested(TripleTerm.MaxDepth + 1))) ==
        "triple terms must be nested at most 63 deep"
    )
    assert(
      refused(
        RowValue.header(Iri("a\ud800b"))
      ) == "a string must not hold a lone surrogate, which UTF-8 cannot encode"
    )
    assert(
      refused(
        RowValue.header(Literal.simple("é\udc00"))
      ) == "a string must not hold a lone surrogate, which UTF-8 cannot encode"
    )
  }

  test("a transaction must end in its patch") {
    val open =
      "a transaction must be closed by TC or TA before the next TX and before the end of the patch"
    val writer = RdfPatchThrift.writer(Map.empty[String, String]).open(new ByteArrayOutputStream)
    writer.write(RowValue(RowOp.TransactionStart).toRow())
    val error = intercept[UnwritableRowException](writer.write(RowValue(RowOp.End).toRow()))
    assert(error.rule == open)
  }

  test("a new value of patch ends a patch") {
    val rows = Seq(0L, 0L, 1L).map(patch => RowValue.add(s).toRow(patch = patch))
    val bytes = RowValue.writeRows(rows, RdfPatchThrift.writer(Map.empty[String, String]))
    assert(ThriftRows.read(bytes) == RowValue.ofCodes("A A END A"))
  }
}
