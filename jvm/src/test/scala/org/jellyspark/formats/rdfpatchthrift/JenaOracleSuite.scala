package org.jellyspark.formats.rdfpatchthrift

import org.scalactic.anyvals.PosInt

import org.jellyspark.MalformedInputException
import org.jellyspark.core.terms.{Literal, TripleTerm}
import org.jellyspark.core.{PropertySuite, RowValue, TermGenerators}

/** Compares with Jena's reader and writer. */
class JenaOracleSuite extends PropertySuite {
  override protected def examples: PosInt = 300

  private val langString = Literal("x", null, Literal.RdfLangString)

  test("the bytes are those of Jena's writer") {
    forAll(ThriftRows.rows) { rows =>
      assert(ThriftRows.write(rows).toSeq == JenaThrift.write(rows).toSeq)
    }
  }

  test("Jena reads our files") {
    forAll(ThriftRows.rows)(rows => assert(JenaThrift.read(ThriftRows.write(rows)) == rows))
  }

  test("we read Jena's files") {
    forAll(ThriftRows.rows)(rows => assert(ThriftRows.read(JenaThrift.write(rows)) == rows))
  }

  test("long strings with several bytes per character") {
    val terms = for {
      length <- Seq(127, 128, 16383, 16384, 70000, 300000)
      character <- Seq("x", "é", "語", "😀", "\ufffd")
    } yield Literal.simple(character * length)
    val rows = terms.map(term => RowValue.add(term))
    val bytes = JenaThrift.write(rows)
    assert(ThriftRows.write(rows).sameElements(bytes))
    assert(ThriftRows.read(bytes) == rows)
  }

  test("63 triple terms can be nested") {
    val rows = Seq(RowValue.header(TermGenerators.nested(TripleTerm.MaxDepth)))
    val bytes = JenaThrift.write(rows)
    assert(ThriftRows.write(rows).sameElements(bytes))
    assert(ThriftRows.read(bytes) == rows)
  }

  test("language tags are kept, unlike in Jena's nodes") {
    val rows = Seq(RowValue.header(Literal.tagged("x", "EN-us")))
    val bytes = ThriftRows.write(rows)
    assert(ThriftRows.read(bytes) == rows)
    assert(JenaThrift.read(bytes) == Seq(RowValue.header(Literal.tagged("x", "en-US"))))
  }

  test("Jena reads the base direction in our tags, and writes none") {
    val rows = Seq(RowValue.header(Literal.tagged("x", "ar--rtl")))
    val bytes = ThriftRows.write(rows)
    assert(ThriftRows.read(bytes) == rows && JenaThrift.read(bytes) == rows)
    val error = intercept[MalformedInputException](ThriftRows.read(JenaThrift.write(rows)))
    assert(error.expected == "a base direction in a literal of rdf:dirLangString")
  }

  test("an rdf:langString without a tag keeps its datatype, which Jena's writer drops") {
    val rows = Seq(RowValue.header(langString))
    assert(JenaThrift.read(JenaThrift.write(rows)) == Seq(RowValue.header(Literal.simple("x"))))
    val bytes = ThriftRows.write(rows)
    assert(ThriftRows.read(bytes) == rows)
    assert(JenaThrift.read(bytes) == rows)
  }
}
