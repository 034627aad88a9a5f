package org.jellyspark.core.terms

import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen

import org.jellyspark.core.errors.RefusedException
import org.jellyspark.core.rows.{Column, Row, RowOp, RowText}
import org.jellyspark.core.{PropertySuite, TermGenerators}

/** A cell makes a term's text, and a text's term. */
class TermCellSuite extends PropertySuite {

  private def cell: TermCell = (new Row).objectCell

  /** A cell with a text in the middle of other bytes. */
  private def ofText(text: Array[Byte]): TermCell = {
    val target = cell
    target.putText(Array[Byte]('x', 'y') ++ text :+ 'z'.toByte, 2, text.length)
    target
  }

  private def textOf(cell: TermCell): String = {
    val bytes = cell.bytes
    new String(bytes, cell.from, cell.length, UTF_8)
  }

  private def ruleOf(text: Array[Byte]): String =
    intercept[RefusedException](ofText(text).term).rule

  test("a cell has the canonical text of its term, and the term of its text") {
    forAll(TermGenerators.term) { term =>
      val target = cell
      target.put(term)
      assert(textOf(target) == NTriples.format(term))
      assert(ofText(NTriples.format(term).getBytes(UTF_8)).term == term)
    }
  }

  test("a text stays as it was given, canonical or not") {
    forAll(Gen.oneOf("<\\u0061>", "\"a\"", "<<<s><p><o>>>", "no term")) { text =>
      val target = ofText(text.getBytes(UTF_8))
      assert(textOf(target) == text && target.shown == text)
    }
    val target = ofText("<\\u0061>".getBytes(UTF_8))
    assert(target.term == Iri("a"))
    assert(textOf(target) == "<\\u0061>")
  }

  test("a cell is reused for many texts and terms") {
    val target = cell
    assert(target.isEmpty && target.term == null && target.bytes == null && target.shown == null)
    Seq("<a>", "<a>", "<bb>", "\"c\"").foreach { text =>
      target.putText(text.getBytes(UTF_8), 0, text.length)
      assert(!target.isEmpty && target.term == NTriples.parse(text))
    }
    target.put(BlankNode("b"))
    assert(target.term == BlankNode("b") && textOf(target) == "_:b")
    target.clear()
    assert(target.isEmpty && target.term == null && target.bytes == null)
  }

  test("the default graph is an empty cell") {
    val row = new Row
    row.graph = Iri("g")
    assert(!row.graphCell.isEmpty)
    row.graph = DefaultGraph
    assert(row.graphCell.isEmpty && row.graph == DefaultGraph)
  }

  test("a text that is not a term is refused when the term is asked for") {
    assert(
      ruleOf("a".getBytes) == "object: expected an RDF term in N-Triples syntax at character " +
        "0, found 'a'"
    )
    assert(ruleOf(Array.emptyByteArray).startsWith("object: expected an RDF term"))
    assert(
      ruleOf(
        Array('"', 0xff.toByte, '"')
      ) == "object: expected UTF-8, found invalid UTF-8 (byte 0xFF)"
    )
    val target = ofText("<a>".getBytes)
    target.term
    target.putText("<a".getBytes, 0, 2)
    assertThrows[RefusedException](target.term)
    assertThrows[RefusedException](target.term)
  }

  test("the content of a row shows texts as they were given") {
    val row = new Row
    row.op = RowOp.Add
    row.subjectCell.putText("<\\u0061>".getBytes, 0, 8)
    row.predicate = Iri("p")
    row.objectCell.putText(Array('"', 0xff.toByte), 0, 2)
    assert(
      RowText(row, Column.ofPatches) ==
        """{"op":"A","subject":"<\\u0061>","predicate":"<p>","object":"\"�"}"""
    )
  }

  test("the content of a row shows control characters as JSON does") {
    val text = "\b\t\n\f\r" + Seq(0, 0x1f, 0x7f).map(_.toChar).mkString
    val shown = "\\b\\t\\n\\f\\r\\u0000\\u001f" + 0x7f.toChar
    assert(RowText(Seq("name" -> text)) == s"""{"name":"$shown"}""")
  }
}
