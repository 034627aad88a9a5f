package org.jellyspark.formats.rdfpatch

import java.nio.charset.StandardCharsets.UTF_8
import java.util.HexFormat

import com.fasterxml.jackson.databind.JsonNode
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.core.RowValue
import org.jellyspark.{MalformedInputException, UnwritableRowException}

/** The cases in `tests/cases_text`, which the tests of both languages use. */
class TextCasesSuite extends AnyFunSuite {

  TextCases.names.foreach { name =>
    test(s"$name is read") {
      assert(TextCases.read(TextCases.text(name)).map(TextCases.line) == TextCases.rows(name))
    }
  }

  test("the error about a malformed row says what is wrong and where") {
    malformedTexts.foreach { case (malformed, strict) =>
      val reader = TextCases.reader(bytes(malformed), strict = strict)
      val error = intercept[MalformedInputException](while (reader.next()) {})
      def number(name: String): Long = malformed.get(name).longValue
      val place = s"line ${number("line")} (row ${number("row")}, byte ${number("offset")})"
      val (expected, found) =
        (malformed.get("expected").textValue, malformed.get("found").textValue)
      withClue(s"$malformed: ") {
        assert(error.getMessage == s"file: $place: expected $expected, found $found")
      }
    }
  }

  test("what only strict reading refuses is read otherwise") {
    malformedTexts.collect { case (text, true) => TextCases.read(bytes(text)) }
  }

  test("rows are written, or refused with a rule") {
    TextCases.lines("written.jsonl").foreach { written =>
      val rows = TextCases.lists(written.get("rows")).map(TextCases.row)
      val writer = RdfPatch.writer(Map("style" -> written.get("style").textValue))
      def text: String = new String(RowValue.write(rows, writer), UTF_8)
      withClue(s"$written: ") {
        if (written.has("text")) assert(text == written.get("text").textValue)
        else assert(intercept[UnwritableRowException](text).rule == written.get("rule").textValue)
      }
    }
  }

  /** The malformed texts, and whether they are malformed only if reading is strict. */
  private def malformedTexts: Seq[(JsonNode, Boolean)] =
    Seq("malformed.jsonl" -> false, "strict.jsonl" -> true).flatMap { case (file, strict) =>
      TextCases.lines(file).map(_ -> strict)
    }

  private def bytes(malformed: JsonNode): Array[Byte] =
    if (malformed.has("hex")) HexFormat.of.parseHex(malformed.get("hex").textValue)
    else malformed.get("text").textValue.getBytes(UTF_8)
}
