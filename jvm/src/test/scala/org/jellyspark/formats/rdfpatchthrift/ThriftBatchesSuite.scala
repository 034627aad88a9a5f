package org.jellyspark.formats.rdfpatchthrift

import org.scalacheck.Gen
import org.scalactic.anyvals.PosInt

import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows.{Column, RowFilter}
import org.jellyspark.core.terms.{BlankNode, DefaultGraph, Iri, Literal, Term, TermValues}
import org.jellyspark.core.{PatchRowGenerators, PropertySuite, RowValue}
import org.jellyspark.jelly.ColumnReading

/** Compares rows read in batches with rows read one by one. */
class ThriftBatchesSuite extends PropertySuite {
  override protected def examples: PosInt = 1000

  // Texts of which most need no escapes, with lengths of one, two and three bytes.
  private val text = Gen.frequency(
    6 -> Gen.oneOf("x", "", "a b", "é", "1.50", "_:x", "a".repeat(127), "b".repeat(128)),
    1 -> Gen.oneOf("a\n", "\"", "\\", "\r", "\t\u0000", "12345678\"", "c".repeat(20000))
  )
  private val iri = Gen.frequency(
    6 -> Gen.oneOf("http://example/a", "http://example/é", "s", "", "http://example/12345678"),
    1 -> Gen.oneOf("_:x", "http://example/~a", "a b", "<", "urn:x-arq:DefaultGrapX", "_")
  )
  private val datatype =
    Gen.oneOf(Gen.oneOf(Literal.XsdString, "http://example/" + "d".repeat(120)), iri)
  private val tag = Gen.oneOf("en", "de-AT", "en--ltr", "x".repeat(130))
  private val literal: Gen[Term] = Gen.oneOf(
    text.map(Literal.simple),
    Gen.zip(text, tag).map((Literal.tagged _).tupled),
    Gen.zip(text, datatype).map((Literal.typed _).tupled)
  )
  private val node: Gen[Term] =
    Gen.oneOf("b", "b.c", "b.", "é", "a b", "", "0").map(BlankNode)
  private val term = Gen.oneOf(iri.map(Iri), iri.map(Iri), literal, node)
  private val graph = Gen.oneOf(Gen.const(DefaultGraph), Gen.const(DefaultGraph), term)

  private val rows: Gen[Seq[RowValue]] = Gen.oneOf(
    Gen.listOf(PatchRowGenerators.statement(term, graph)),
    Gen.zip(Gen.listOf(PatchRowGenerators.statement(term, graph)), ThriftRows.rows).map {
      case (statements, others) => statements.take(5) ++ others ++ statements
    }
  )

  private def write(rows: Seq[RowValue]): Array[Byte] =
    RowValue.writeAsRead(rows, RdfPatchThrift.writer(Map.empty[String, String]))

  test("batches have the columns of the rows that pass a filter") {
    val cases = for {
      rows <- rows
      request <- ColumnReading.request(RdfPatchThrift.columns(Map.empty), rows)
    } yield (rows, request)
    forAll(cases) { case (rows, request) =>
      ColumnReading.check(RdfPatchThrift, write(rows), Map.empty, request)
    }
  }

  test("Jena's names of the default graph") {
    val bytes = write(Seq(RowValue.add(Iri("s"), Iri("urn:x-arq:DefaultGrapX"))))
    bytes(bytes.indexOf('X'.toByte)) = 'h'
    val request = BatchRequest(Set(Column.Graph), RowFilter.All, TermValues)
    val read = ColumnReading.read(RdfPatchThrift, bytes, request)
    assert(read == ColumnReading.Result(Seq(Map("graph" -> null)), None))
  }

  test("a file that is longer than a buffer") {
    forAll(Gen.listOfN(30, rows), minSuccessful(PosInt(30))) { rows =>
      val plain = (0 until 100).map(i => RowValue.add(Iri(s"http://example/$i")))
      val bytes = write(rows.flatMap(plain ++ _))
      ColumnReading.checkDamaged(RdfPatchThrift, bytes, Map.empty)
      ColumnReading.checkDamaged(RdfPatchThrift, bytes.dropRight(1), Map.empty)
    }
  }

  test("batches of changed bytes have the same rows and the same error") {
    val change = Gen.zip(
      Gen.choose(0, Int.MaxValue),
      Gen.oneOf(Gen.choose(-128, 127), Gen.oneOf(0, 1, 0x18, 0x1c, 0x28, 0x2c, 0x3c, -1))
    )
    forAll(rows, Gen.choose(1, 4).flatMap(Gen.listOfN(_, change)), Gen.oneOf(true, false)) {
      (rows, changes, isCut) =>
        val bytes = write(rows)
        if (bytes.nonEmpty) changes.foreach { case (at, b) => bytes(at % bytes.length) = b.toByte }
        val cut = if (isCut) bytes.take(changes.head._1 % (bytes.length + 1)) else bytes
        ColumnReading.checkDamaged(RdfPatchThrift, cut, Map.empty)
    }
  }

  test("the longest row") {
    forAll(rows, Gen.choose(1, 2000)) { (rows, limit) =>
      val options = Map("maxRowSize" -> limit.toString)
      ColumnReading.checkDamaged(RdfPatchThrift, write(rows), options)
    }
  }
}
