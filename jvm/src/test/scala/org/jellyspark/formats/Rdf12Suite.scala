package org.jellyspark.formats

import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen

import org.jellyspark.core.formats.{BatchRequest, RowFormat}
import org.jellyspark.core.rows.{RowFilter, RowOp}
import org.jellyspark.core.terms._
import org.jellyspark.core.{PropertySuite, RowValue, TermGenerators}
import org.jellyspark.formats.jellypatch.JellyPatch
import org.jellyspark.formats.jellyrdf.JellyRdf
import org.jellyspark.formats.ntriples.{NQuadsFormat, NTriplesFormat}
import org.jellyspark.formats.rdfpatch.RdfPatch
import org.jellyspark.formats.rdfpatchthrift.RdfPatchThrift
import org.jellyspark.jelly.ColumnReading

/** Statements of RDF 1.2, with base directions and nested triple terms, in every format. */
class Rdf12Suite extends PropertySuite {
  private val iri: Gen[Term] = Gen.choose(0, 9).map(i => Iri(s"http://example.org/$i"))
  private val node: Gen[Term] = Gen.oneOf(iri, Gen.choose(0, 9).map(i => BlankNode(s"b$i")))

  private val tag: Gen[String] = for {
    language <- Gen.oneOf("ar", "he", "en-GB", "ar-EG", "zh-Hant-TW")
    direction <- Gen.option(TermGenerators.direction)
  } yield BaseDirection.join(language, direction.orNull)

  private val literal: Gen[Term] = Gen.oneOf(
    Gen.zip(TermGenerators.text, tag).map((Literal.tagged _).tupled),
    Gen.alphaNumStr.map(Literal.simple),
    Gen.alphaNumStr.map(Literal.typed(_, "http://example.org/datatype"))
  )

  private def obj(depth: Int): Gen[Term] =
    if (depth == 0) Gen.oneOf(node, literal)
    else {
      val triple = Gen.zip(node, iri, Gen.lzy(obj(depth - 1))).map((TripleTerm.apply _).tupled)
      Gen.frequency(2 -> Gen.oneOf(node, literal), 1 -> triple)
    }

  private val statement: Gen[RowValue] = for {
    (subject, predicate, obj) <- Gen.zip(node, iri, obj(4))
    graph <- Gen.oneOf(Gen.const(DefaultGraph), node)
  } yield RowValue(RowOp.Add, subject, predicate, obj, graph)

  private val formats: Seq[RowFormat] =
    Seq(JellyPatch, JellyRdf, RdfPatch, RdfPatchThrift, NQuadsFormat, NTriplesFormat)

  private def write(format: RowFormat, rows: Seq[RowValue]): Array[Byte] =
    RowValue.write(rows, format.writer(Map.empty[String, String]))

  formats.foreach { format =>
    test(s"${format.title}: rows survive a round trip, in batches too") {
      forAll(Gen.listOf(statement)) { statements =>
        val rows =
          if (format == NTriplesFormat) statements.map(_.copy(graph = DefaultGraph))
          else statements
        val bytes = write(format, rows)
        assert(RowValue.read(bytes, format.reader(Map.empty[String, String])) == rows)
        val columns = format.columns(Map.empty).toSet
        val all = BatchRequest(columns, RowFilter.All, TermValues)
        ColumnReading.check(format, bytes, Map.empty, all)
      }
    }
  }

  test("a line of N-Triples has the canonical strings") {
    forAll(statement) { row =>
      val line = Seq(row.subject, row.predicate, row.obj).map(NTriples.format).mkString(" ")
      val bytes = write(NTriplesFormat, Seq(row.copy(graph = DefaultGraph)))
      assert(new String(bytes, UTF_8) == s"$line .\n")
    }
  }
}
