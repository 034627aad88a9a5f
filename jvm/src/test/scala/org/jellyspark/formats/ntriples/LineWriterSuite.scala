package org.jellyspark.formats.ntriples

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.formats.RowFormat
import org.jellyspark.core.rows.{Row, RowOp}

class LineWriterSuite extends AnyFunSuite {

  private def row(terms: String*): Row = {
    val row = new Row
    row.op = RowOp.Add
    Seq(row.subjectCell, row.predicateCell, row.objectCell, row.graphCell).zip(terms).foreach {
      case (cell, term) =>
        val utf8 = term.getBytes(UTF_8)
        cell.putText(utf8, 0, utf8.length)
    }
    row
  }

  private def write(format: RowFormat, rows: Row*): String = {
    val out = new ByteArrayOutputStream
    val writer = format.writer(Map.empty).open(out)
    rows.foreach(writer.write)
    writer.finish()
    out.toString(UTF_8)
  }

  private def refused(row: Row, rule: String, format: RowFormat = NQuadsFormat): Unit = {
    val error = intercept[UnwritableRowException](write(format, row))
    assert(error.rule == rule): Unit
  }

  test("a statement is a line") {
    assert(write(NTriplesFormat) == "")
    assert(write(NTriplesFormat, row("<a:s>", "<a:p>", "\"o\"")) == "<a:s> <a:p> \"o\" .\n")
    val rows = Seq(row("_:b", "<a:p>", "\"é\"@en", "_:g"), row("<a:s>", "<a:p>", "_:b"))
    assert(write(NQuadsFormat, rows: _*) == "_:b <a:p> \"é\"@en _:g .\n<a:s> <a:p> _:b .\n")
  }

  test("terms are written in their canonical form") {
    val written = row(
      "<a:\\u00e9\\u0020>",
      "<a:p\\u0041>",
      "\"\\t\\u0022\"^^<http://www.w3.org/2001/XMLSchema#string>",
      "<_:g>"
    )
    assert(write(NQuadsFormat, written) == "<a:é\\u0020> <a:pA> \"\t\\\"\" _:g .\n")
    val nested = row("<<<a:s><a:p>\"o\">>", "<a:p>", "<<( << _:b <a:p> _:c >> <a:p> <a:o> )>>")
    assert(
      write(NTriplesFormat, nested) ==
        "<<( <a:s> <a:p> \"o\" )>> <a:p> <<( <<( _:b <a:p> _:c )>> <a:p> <a:o> )>> .\n"
    )
  }

  test("what is not an RDF statement is refused") {
    refused(row("<a:s>", "<a:p>"), "a statement needs a subject, a predicate and an object")
    refused(
      row("\"s\"", "<a:p>", "<a:o>"),
      "a subject must be an IRI, a blank node or a triple term"
    )
    refused(row("<a:s>", "_:p", "<a:o>"), "a predicate must be an IRI")
    refused(row("<a:s>", "<a:p>", "<a:o>", "\"g\""), "a graph must be an IRI or a blank node")
    refused(
      row("<a:s>", "<a:p>", "<a:o>", "<<( <a:s> <a:p> <a:o> )>>"),
      "a graph must be an IRI or a blank node"
    )
    refused(row("<<( <a:s> _:p <a:o> )>>", "<a:p>", "<a:o>"), "a predicate must be an IRI")
    refused(row("<s>", "<a:p>", "<a:o>"), "an IRI must be absolute")
    refused(row("<a:s>", "<a:p>", "\"1\"^^<d>"), "an IRI must be absolute")
    refused(
      row("<_:a:b>", "<a:p>", "<a:o>"),
      "a blank node label must follow N-Triples' grammar"
    )
    refused(
      row("<a:s>", "<a:p>", "\"o\"@e1"),
      "a language tag must follow N-Triples' grammar, as en or de-CH do"
    )
    refused(
      row("<a:s>", "<a:p>", "\"o"),
      "object: expected a character that a literal may hold, or '\"' at character 2, found the " +
        "end of the string"
    )
  }

  test("what the formats cannot hold is refused") {
    refused(
      row("s", "p", "o", "<a:g>"),
      "N-Triples cannot hold a graph: write nquads",
      NTriplesFormat
    )
    val namespace = new Row
    namespace.op = RowOp.PrefixAdd
    namespace.name = "ex"
    refused(namespace, "a namespace cannot be written as N-Triples or N-Quads")
    val deletion = row("<a:s>", "<a:p>", "<a:o>")
    deletion.op = RowOp.Delete
    refused(deletion, "N-Triples and N-Quads can hold only statements")
  }
}
