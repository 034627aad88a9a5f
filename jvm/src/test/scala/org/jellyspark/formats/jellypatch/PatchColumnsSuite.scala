package org.jellyspark.formats.jellypatch

import org.scalacheck.Gen

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows.{AllowedValues, Column, RowFilter}
import org.jellyspark.core.terms.TermValues
import org.jellyspark.core.{ByteGenerators, PropertySuite, RowValue}
import org.jellyspark.jelly.{ColumnReading, TermOptions, WireBytes}

class PatchColumnsSuite extends PropertySuite {

  private val files: Gen[(Array[Byte], Seq[RowValue])] =
    Gen
      .zip(PatchGenerators.rows, PatchGenerators.options, Gen.oneOf(true, false))
      .map { case (rows, options, repeats) =>
        val all = if (repeats) rows ++ rows.reverse ++ rows else rows
        val ended = all ++ RowValue.ofCodes("TX END A TC")
        // Tables that are large enough for the terms of every row.
        val terms = TermOptions(100, options.terms.maxPrefixTableSize / 100 * 100, 100)
        (PatchBytes.writeAsRead(ended, options.copy(terms = terms)), ended)
      }

  test("batches hold the requested columns and rows") {
    forAll(for {
      (bytes, rows) <- files
      request <- ColumnReading.request(Column.ofPatches, rows)
    } yield (bytes, request)) { case (bytes, request) =>
      ColumnReading.check(JellyPatch, bytes, Map.empty, request)
    }
  }

  test("batches and rows agree on damaged files") {
    val random = new scala.util.Random(1)
    forAll(files, Gen.oneOf("true", "false")) { case ((bytes, _), strict) =>
      (1 to 20).foreach { _ =>
        val damaged = ByteGenerators.damaged(bytes, random)
        ColumnReading.checkDamaged(JellyPatch, damaged, Map("strict" -> strict))
      }
    }
  }

  test(
    "text that is not UTF-8 is an error in the first row that passes the filter, also as a repeated term"
  ) {
    import WireBytes._
    import JellyPatchFields.Kind
    def literal(lex: String) = field(11, field(1, hex(lex)))
    val bytes = frame(
      PatchBytes.options(),
      field(Kind.StatementAdd, text(2, "s") ++ text(6, "x") ++ literal("ff")),
      field(Kind.StatementAdd, text(6, "y"))
    )
    def read(predicate: String) = ColumnReading.read(
      JellyPatch,
      bytes,
      BatchRequest(
        Set(Column.Object),
        RowFilter(Map(Column.Predicate -> AllowedValues(false, Some(Set(predicate))))),
        TermValues
      )
    )
    assert(read("_:z").error.isEmpty)
    assert(read("_:x").error.exists(_.contains("row 1: expected a well-formed row")))
    assert(read("_:y").error.exists(_.contains("row 2: expected UTF-8, found invalid UTF-8")))
  }

  test("truncated ids") {
    import WireBytes._
    import JellyPatchFields.Kind
    val rest = text(6, "p") ++ text(10, "o") ++ text(14, "g")
    Seq("08", "10", "0880", "1080", "080110", "08011080", "10808080").foreach { ids =>
      val entries = Seq(
        field(Kind.Prefix, text(2, "http://a/")),
        field(Kind.Name, text(2, "x")),
        field(Kind.Name, text(2, "y"))
      )
      val row = field(Kind.StatementAdd, field(1, hex(ids)), rest)
      val bytes = frame(PatchBytes.options() +: entries :+ row: _*)
      val error = intercept[MalformedInputException](PatchBytes.read(bytes))
      assert(error.expected == "a well-formed row")
      ColumnReading.checkDamaged(JellyPatch, bytes, Map.empty)
    }
  }
}
