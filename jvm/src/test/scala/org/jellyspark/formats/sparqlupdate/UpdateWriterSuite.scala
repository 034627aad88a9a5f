package org.jellyspark.formats.sparqlupdate

import java.io.ByteArrayInputStream
import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._

import org.apache.jena.rdfpatch.RDFPatchOps
import org.apache.jena.sparql.core.{DatasetGraph, DatasetGraphFactory, Quad}
import org.apache.jena.system.Txn
import org.apache.jena.update.{UpdateAction, UpdateFactory}
import org.scalacheck.Gen

import org.jellyspark.{OptionException, UnwritableRowException}
import org.jellyspark.core.{PropertySuite, RowValue, TermGenerators}
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.terms._
import org.jellyspark.formats.rdfpatch.RdfPatch

class UpdateWriterSuite extends PropertySuite {

  /** Rows from RDF Patch text. */
  private def rows(text: String): Seq[RowValue] =
    RowValue.read(text.getBytes(UTF_8), RdfPatch.reader(strict = false))

  private def write(rows: Seq[RowValue], options: (String, String)*): String =
    new String(RowValue.writeAsRead(rows, SparqlUpdate.writer(options.toMap)), UTF_8)

  private def check(patch: String, options: (String, String)*)(update: String): Unit = {
    val written = write(rows(patch), options: _*)
    assert(written == update)
    UpdateFactory.create(written): Unit
  }

  private def refused(patch: String, rule: String): Unit = {
    val error = intercept[UnwritableRowException](write(rows(patch)))
    assert(error.rule == rule)
    assert(error.row != null): Unit
  }

  test("a run of changes is an operation, and a graph a block of it") {
    check("")("")
    check("TX . TC . Z .")("")
    check("""TX .
            |A <a:s> <a:p> "o"@en .
            |A <a:s> <a:p> 1 <a:g> .
            |A <a:s> <a:p> <a:o> <a:g> .
            |A <a:s> <a:p> <a:o> <a:h> .
            |A <a:s> <a:p> <a:o> .
            |D <a:s> <a:p> <a:o> .
            |TC .
            |""".stripMargin)("""INSERT DATA {
            |  <a:s> <a:p> "o"@en .
            |  GRAPH <a:g> {
            |    <a:s> <a:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .
            |    <a:s> <a:p> <a:o> .
            |  }
            |  GRAPH <a:h> {
            |    <a:s> <a:p> <a:o> .
            |  }
            |  <a:s> <a:p> <a:o> .
            |} ;
            |DELETE DATA {
            |  <a:s> <a:p> <a:o> .
            |}
            |""".stripMargin)
  }

  test("a run does not cross the rows between") {
    val add = "A <a:s> <a:p> <a:o> <a:g> .\n"
    val operation = "INSERT DATA {\n  GRAPH <a:g> {\n    <a:s> <a:p> <a:o> .\n  }\n}"
    Seq("TX .", "TC .", "Z .", "TX . TC . TX .").foreach { between =>
      check(s"$add$between\n$add")(s"$operation ;\n$operation\n")
    }
  }

  test("headers and prefixes are comments, behind the separator") {
    check("""H id <urn:uuid:1> .
            |H "odd key" "a\nb" .
            |TX .
            |PA ex <http://example/> .
            |A <a:s> <a:p> <a:o> .
            |PD "" .
            |PA ex <http://example/> <a:g> .
            |D <a:s> <a:p> <a:o> .
            |TC .
            |H next _:b .
            |""".stripMargin)("""# H id <urn:uuid:1> .
            |# H "odd key" "a\nb" .
            |# PA ex <http://example/> .
            |INSERT DATA {
            |  <a:s> <a:p> <a:o> .
            |} ;
            |# PD "" .
            |# PA ex <http://example/> <a:g> .
            |DELETE DATA {
            |  <a:s> <a:p> <a:o> .
            |}
            |# H next _:b .
            |""".stripMargin)
    check("H id <urn:uuid:1> .")("# H id <urn:uuid:1> .\n")
    assert(
      write(Seq(RowValue(RowOp.PrefixDelete, name = "ex", value = Iri("a:b")))) ==
        "# PD ex <a:b> .\n"
    )
  }

  test("an operation has at most batchSize statements") {
    val add = "A <a:s> <a:p> <a:o> .\n"
    def inserts(counts: Int*): String =
      counts
        .map(n => "INSERT DATA {\n" + "  <a:s> <a:p> <a:o> .\n" * n + "}")
        .mkString(" ;\n") + "\n"
    check(add * 5, "batchSize" -> "2")(inserts(2, 2, 1))
    check(add * 4, "batchsize" -> "2")(inserts(2, 2))
    assert(write(rows(add * 1001)) == inserts(1000, 1))
  }

  test("options that are not valid") {
    Seq("batchSize" -> "0", "batchSize" -> "x", "skolemBase" -> "genid/", "skolemBase" -> "a:b c")
      .foreach(option => intercept[OptionException](SparqlUpdate.writer(Map(option))))
    val error = intercept[OptionException](SparqlUpdate.reader(Map.empty))
    assert(error.getMessage == "sparql_update can be written, not read")
  }

  test("what SPARQL Update cannot hold is refused") {
    refused("TX . TA .", "SPARQL Update has no rollback: squash the log first")
    refused("A _:b <a:p> <a:o> .", "a blank node needs the option skolemBase")
    refused("D <a:s> <a:p> <a:o> _:g .", "a blank node needs the option skolemBase")
    val onlyObject = "SPARQL Update can hold a triple term only as an object"
    refused("A <<( <a:s> <a:p> 1 )>> <a:p> <a:o> .", onlyObject)
    refused("A <a:s> <a:p> <<( <<( <a:s> <a:p> 1 )>> <a:p> 1 )>> .", onlyObject)
    refused("A 's' <a:p> <a:o> .", "a subject must be an IRI, a blank node or a triple term")
    refused("A <a:s> 'p' <a:o> .", "a predicate must be an IRI")
    refused("A <a:s> <a:p> <a:o> 'g' .", "a graph must be an IRI or a blank node")
    refused("A <s> <a:p> <a:o> .", "an IRI must be absolute")
    refused(
      "A <a:\\u0020> <a:p> <a:o> .",
      "SPARQL Update cannot hold an IRI with a space, a control character or any of <>\"{}|^`\\"
    )
    val odd = RowValue(RowOp.Add, Iri("a:s"), Iri("a:p"), Literal.tagged("o", "e1"))
    assert(
      intercept[UnwritableRowException](write(Seq(odd))).rule ==
        "a language tag must follow SPARQL's grammar, as en or de-CH do"
    )
  }

  test("triple terms and base directions are written as SPARQL 1.2 has them") {
    check("A <a:s> <a:p> << <a:s> <a:p> <<( <a:s> <a:p> 'o'@ar--rtl )>> >> .")(
      "INSERT DATA {\n  <a:s> <a:p> <<( <a:s> <a:p> <<( <a:s> <a:p> \"o\"@ar--rtl )>> )>> .\n}\n"
    )
  }

  test("blank nodes become IRIs") {
    val base = "https://example.org/.well-known/genid/"
    check("A _:b <a:p> <_:a/b\\u0020é\u00b7\\u0300> _:g .", "skolemBase" -> base)(
      s"""INSERT DATA {
         |  GRAPH <${base}g> {
         |    <${base}b> <a:p> <${base}a%2Fb%20é\u00b7\u0300> .
         |  }
         |}
         |""".stripMargin
    )
  }

  test("nothing looks like a codepoint escape, and literals have no tabs") {
    val (read, written) =
      ("\\\\u000A\\t\\\\U00000041", "\\\\\\U00000075000A\\t\\\\\\U0000005500000041")
    check(s"H b <a:\\u000A> . A <a:s> <a:p> \"$read\"@en .")(
      s"""# H b <a:\\\\U00000075000A> .
         |INSERT DATA {
         |  <a:s> <a:p> "$written"@en .
         |}
         |""".stripMargin
    )
  }

  private val iri = Gen.choose(0, 5).map(i => Iri(s"http://example.org/$i"))
  private val lexical = Gen.frequency(
    1 -> TermGenerators.text,
    1 -> Gen.oneOf("\\u0041", "\\\\u0041", "\\", "\\n", "\u0000")
  )
  private val obj: Gen[Term] = Gen.oneOf(
    iri,
    lexical.map(Literal.simple),
    Gen.zip(lexical, Gen.oneOf("en", "ar--rtl")).map((Literal.tagged _).tupled),
    Gen.lzy(Gen.zip(iri, iri, obj).map((TripleTerm.apply _).tupled))
  )
  private val change = for {
    op <- Gen.oneOf(RowOp.Add, RowOp.Delete)
    subject <- iri
    predicate <- iri
    obj <- obj
    graph <- Gen.oneOf(Gen.const(DefaultGraph), iri)
  } yield RowValue(op, subject, predicate, obj, graph)
  private val transaction = Gen.listOf(change).map { rows =>
    RowValue(RowOp.TransactionStart) +: rows :+ RowValue(RowOp.TransactionCommit)
  }

  private def quads(dataset: DatasetGraph): Set[Quad] =
    Txn.calculateRead(dataset, () => dataset.find().asScala.toSet)

  test("Jena applies the update as it applies the patch") {
    forAll(Gen.listOf(transaction).map(_.flatten), Gen.choose(1, 4)) { (rows, batchSize) =>
      val update = write(rows, "batchSize" -> batchSize.toString)
      val patch = RowValue.writeAsRead(rows, RdfPatch.writer(Map.empty[String, String]))
      val (updated, patched) =
        (DatasetGraphFactory.createTxnMem(), DatasetGraphFactory.createTxnMem())
      UpdateAction.parseExecute(update, updated)
      RDFPatchOps.applyChange(patched, RDFPatchOps.read(new ByteArrayInputStream(patch)))
      assert(quads(updated) == quads(patched))
    }
  }

  test("a writer begins anew") {
    val out = new java.io.ByteArrayOutputStream
    val writer = SparqlUpdate.writer(Map.empty[String, String]).open(out)
    val row: Row = RowValue.add(Iri("a:s")).copy(predicate = Iri("a:p")).toRow()
    (0 until 2).foreach { _ =>
      writer.write(row)
      writer.finish()
      writer.restart()
    }
    assert(out.toString(UTF_8) == "INSERT DATA {\n  <a:s> <a:p> <a:s> .\n}\n" * 2)
  }
}
