package org.jellyspark.formats.ntriples

import java.io.ByteArrayOutputStream
import java.nio.charset.StandardCharsets.UTF_8

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.{OptionException, UnwritableRowException}
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

  private def write(format: RowFormat, rows: Row*): String = writeWith(format)(rows: _*)

  private def writeWith(format: RowFormat, options: (String, String)*)(rows: Row*): String = {
    val out = new ByteArrayOutputStream
    val writer = format.writer(options.toMap).open(out)
    rows.foreach(writer.write)
    writer.finish()
    out.toString(UTF_8)
  }

  private def refused(
      row: Row,
      rule: String,
      format: RowFormat = NQuadsFormat,
      options: Map[String, String] = Map.empty
  ): Unit = {
    val error = intercept[UnwritableRowException](writeWith(format, options.toSeq: _*)(row))
    assert(error.rule == rule): Unit
  }

  private val canonical = Map("canonical" -> "true")

  test("canonical: tags in lower case, and control characters as escapes") {
    Seq(
      "\"x\"@EN-gb" -> "\"x\"@en-gb",
      "\"x\"@Ar--rtl" -> "\"x\"@ar--rtl",
      "\"A\"" -> "\"A\"",
      "\"\\t\\b\\f\\\"\\\\\\n\\r\"" -> "\"\\t\\b\\f\\\"\\\\\\n\\r\"",
      "\"\u0000\u0007\u000b\u001f\u007f\u0080\"" -> "\"\\u0000\\u0007\\u000B\\u001F\\u007F\u0080\"",
      "\"\ufffd\ufffe\uffff😀?\"" -> "\"\ufffd\\uFFFE\\uFFFF😀?\"",
      "<a:\\u00e9\\u0020\\u007f>" -> "<a:é\\u0020\u007f>",
      "<< _:a <a:p> \"\u0007\"@EN >>" -> "<<( _:a <a:p> \"\\u0007\"@en )>>"
    ).foreach { case (given, expected) =>
      assert(
        writeWith(NTriplesFormat, canonical.toSeq: _*)(row("_:s", "<a:p>", given)) ==
          s"_:s <a:p> $expected .\n"
      )
    }
  }

  test("canonical: what RDF 1.2 does not allow is refused") {
    val rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    val triple = "<<( _:s <a:p> _:o )>>"
    Seq(
      row(triple, "<a:p>", "_:o") -> "canonical N-Triples can hold a triple term only as an object",
      row("_:s", "<a:p>", s"<<( $triple <a:p> _:o )>>") ->
        "canonical N-Triples can hold a triple term only as an object",
      row("_:s", "<a:p>", "\"x\"@abcdefghi") ->
        "a subtag of a language tag must have at most 8 characters",
      row("_:s", "<a:p>", s"\"x\"^^<${rdf}langString>") ->
        "a literal with rdf:langString or rdf:dirLangString needs a tag",
      row("_:s", "<a:p>", s"\"x\"^^<${rdf}dirLangString>") ->
        "a literal with rdf:langString or rdf:dirLangString needs a tag",
      row("_:s", "<a:p>", "<o>") -> "an IRI must be absolute"
    ).foreach { case (row, rule) => refused(row, rule, options = canonical) }
  }

  test("a file begins with its version") {
    val line = "_:s <a:p> _:o .\n"
    val statement = row("_:s", "<a:p>", "_:o")
    Seq("1.1", "1.2", "1.2-basic").foreach { version =>
      val first = s"VERSION \"$version\"\n"
      assert(
        writeWith(NQuadsFormat, "version" -> version)(statement, statement) ==
          first + line + line
      )
      assert(writeWith(NTriplesFormat, "VERSION" -> s" $version ")() == first)
    }
    assert(writeWith(NQuadsFormat, "version" -> "")(statement) == line)
    val out = new ByteArrayOutputStream
    val writer = NQuadsFormat.writer(Map("version" -> "1.2")).open(out)
    writer.finish()
    writer.restart()
    writer.write(statement)
    writer.finish()
    assert(out.toString(UTF_8) == s"VERSION \"1.2\"\nVERSION \"1.2\"\n$line")
  }

  test("messages: a line MESSAGE for each new frame") {
    def framed(frame: Long): Row = {
      val framed = row("_:s", "<a:p>", "_:o")
      framed.frame = frame
      framed
    }
    val line = "_:s <a:p> _:o .\n"
    val first = "VERSION \"1.2-messages\"\n"
    val options = Map("version" -> "1.2-messages")
    def written(frames: Long*): String =
      writeWith(NQuadsFormat, options.toSeq: _*)(frames.map(framed): _*)
    assert(written(0, 0, 1, 4) == first + line + line + "MESSAGE\n" + line + "MESSAGE\n" * 3 + line)
    assert(written(2) == first + "MESSAGE\n" * 2 + line)
    assert(written() == first)
    val needed = "in a stream of messages, each row needs a frame from 0 on"
    refused(framed(Row.NoNumber), needed, options = options)
    val many = "in a stream of messages, frame must not increase by more than 10000000"
    refused(framed(10000001), many, options = options)
    refused(framed(Long.MaxValue), many, options = options)
    val error = intercept[UnwritableRowException](written(1, 0))
    assert(error.rule == "in a stream of messages, frame must not decrease")
    val out = new ByteArrayOutputStream
    val writer = NQuadsFormat.writer(options).open(out)
    writer.write(framed(1))
    writer.finish()
    writer.restart()
    writer.write(framed(1))
    writer.finish()
    assert(out.toString(UTF_8) == (first + "MESSAGE\n" + line) * 2)
  }

  test("options that are not valid") {
    val unknown = intercept[OptionException](NQuadsFormat.writer(Map("version" -> "2")))
    assert(
      unknown.getMessage ==
        "version must be one of: 1.1, 1.2, 1.2-basic, 1.2-messages; not '2'"
    )
    val both = intercept[OptionException] {
      NTriplesFormat.writer(Map("version" -> "1.2", "canonical" -> "TRUE"))
    }
    assert(
      both.getMessage ==
        "canonical files have no VERSION: set only one of canonical and version"
    )
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
