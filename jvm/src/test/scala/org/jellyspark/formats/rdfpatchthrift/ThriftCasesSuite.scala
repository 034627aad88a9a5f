package org.jellyspark.formats.rdfpatchthrift

import java.io.ByteArrayInputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.MalformedInputException
import org.jellyspark.core.RowValue
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{DefaultGraph, NTriples, Term}

/** The cases in `tests/cases_thrift`, which the tests of both languages use. */
class ThriftCasesSuite extends AnyFunSuite {
  private val folder = Paths.get("tests", "cases_thrift")

  private def lines(file: String): List[List[JsonNode]] = {
    val mapper = new ObjectMapper
    val lines = Files.readAllLines(folder.resolve(file), UTF_8).asScala.toList
    lines.map(line => mapper.readTree(line).asScala.toList)
  }

  private def bytes(hex: JsonNode): Array[Byte] =
    hex.asText.grouped(2).map(Integer.parseInt(_, 16).toByte).toArray

  private def row(op: Iterable[JsonNode]): RowValue = {
    def term(text: String): Term = NTriples.parse(text)
    def graph(texts: List[String]): Term = texts.headOption.fold[Term](DefaultGraph)(term)
    op.map(_.asText).toList match {
      case (code @ ("A" | "D")) :: s :: p :: o :: g =>
        RowValue(RowOp.ofCode(code), term(s), term(p), term(o), graph(g))
      case List("H", key, value) =>
        RowValue(RowOp.Header, name = key, value = term(value))
      case "PA" :: prefix :: iri :: g =>
        RowValue(RowOp.PrefixAdd, name = prefix, value = term(iri), graph = graph(g))
      case "PD" :: prefix :: g => RowValue(RowOp.PrefixDelete, name = prefix, graph = graph(g))
      case List(code)          => RowValue(RowOp.ofCode(code))
      case other               => fail(s"no row: $other")
    }
  }

  for (name <- Seq("headers", "statements", "prefixes", "transactions", "lengths")) {
    test(name) {
      val rows = lines(s"$name.jsonl").map(row)
      val bytes = Files.readAllBytes(folder.resolve(s"$name.trp"))
      assert(JenaThrift.write(rows).sameElements(bytes))
      assert(ThriftRows.write(rows).sameElements(bytes))
      assert(ThriftRows.read(bytes) == rows)
    }
  }

  test("recorded: Jena's names of the default graph are that graph") {
    val bytes = Files.readAllBytes(folder.resolve("recorded.trp"))
    assert(ThriftRows.read(bytes) == lines("recorded.jsonl").map(row))
  }

  for (why :: hex :: ops <- lines("accepted.jsonl")) {
    test(s"accepted: ${why.asText}") {
      assert(ThriftRows.read(bytes(hex)) == ops.map(op => row(op.asScala)))
    }
  }

  for (why :: hex :: error <- lines("malformed.jsonl")) {
    test(s"malformed: ${why.asText}") {
      val in = new ByteArrayInputStream(bytes(hex))
      val reader = RdfPatchThrift.reader(strict = true).open(in, "file")
      val found = intercept[MalformedInputException](while (reader.next()) ())
      assert(Seq(found.place, found.expected, found.found) == error.map(_.asText))
    }
  }
}
