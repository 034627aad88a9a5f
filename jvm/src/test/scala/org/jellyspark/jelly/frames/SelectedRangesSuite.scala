package org.jellyspark.jelly.frames

import org.scalacheck.Gen

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.{BatchRequest, FilePart}
import org.jellyspark.core.rows.{AllowedNumbers, AllowedValues, Column, RowFilter, RowOp}
import org.jellyspark.core.terms.{DefaultGraph, Iri, TermValues}
import org.jellyspark.core.{PropertySuite, RowValue}
import org.jellyspark.formats.jellypatch.{JellyPatch, JellyPatchOptions, PatchBytes}
import org.jellyspark.formats.jellyrdf.JellyRdf
import org.jellyspark.jelly.ColumnReading
import org.jellyspark.jelly.ColumnReading.MemoryFile

class SelectedRangesSuite extends PropertySuite {
  private val rows = (0 until 400).map { n =>
    if (n % 9 == 8) RowValue(RowOp.End)
    else {
      val graph = if (n > 200) Iri(s"urn:g${n / 100}") else DefaultGraph
      RowValue(RowOp.Add, Iri(s"urn:s${n / 4}"), Iri(s"urn:p${n % 3}"), Iri(s"urn:o$n"), graph)
    }
  }
  private val bytes = PatchBytes.write(
    rows,
    JellyPatchOptions(
      frameSize = 3,
      restartInterval = 300,
      indexColumns = Set(Column.Subject, Column.Graph)
    )
  )

  private def one(text: String) = AllowedValues(nulls = false, Some(Set(text)))

  private def select(filter: RowFilter, part: FilePart = FilePart.Whole) =
    SelectedRanges(new MemoryFile(bytes), part, filter)

  test("ranges without the terms or the numbers are skipped") {
    val all = select(RowFilter.All)
    assert(all.ranges.length > 20 && all.skipped == 0 && all.skippedBytes == 0)
    val conditions = Seq(
      RowFilter(Map(Column.Subject -> one("<urn:s50>"))),
      RowFilter(Map(Column.Graph -> one("<urn:g3>"), Column.Subject -> one("<urn:s80>"))),
      RowFilter(Map(Column.Subject -> one("<urn:none>"))),
      RowFilter(Map.empty, Map(Column.Seq -> AllowedNumbers(100, 105))),
      RowFilter(Map.empty, Map(Column.Patch -> AllowedNumbers(7, 9, Some(Set(7, 9)))))
    )
    conditions.foreach { filter =>
      val found = select(filter)
      assert(found.ranges.length <= 4)
      assert(found.skipped == all.ranges.length - found.ranges.length)
      assert(found.skippedBytes <= bytes.length && found.skippedBytes > bytes.length / 2)
    }
    assert(select(RowFilter(Map(Column.Graph -> one("<urn:x>").copy(nulls = true)))) == all)
    assert(select(RowFilter(Map(Column.Predicate -> one("<urn:x>")))) == all)
  }

  test("the rows are those that a filter gives without skipping") {
    val request = BatchRequest(Column.ofPatches.toSet, RowFilter.All, TermValues)
    val whole = ColumnReading.read(JellyPatch, bytes, request).rows
    val terms = Gen.choose(0, 110).map(n => one(s"<urn:s$n>"))
    forAll(terms, Gen.choose(0L, 420L), Gen.choose(0L, 60L)) { (subject, seq, span) =>
      val filters = for {
        columns <- Seq(
          Map.empty[Column, AllowedValues],
          Map[Column, AllowedValues](Column.Subject -> subject)
        )
        numbers <- Seq(
          Map.empty[Column, AllowedNumbers],
          Map[Column, AllowedNumbers](Column.Seq -> AllowedNumbers(seq, seq + span))
        )
      } yield RowFilter(columns, numbers)
      filters.foreach { filter =>
        val found = ColumnReading.read(JellyPatch, bytes, request.copy(filter = filter))
        assert(found.error.isEmpty)
        assert(found.rows.filter(passes(filter)) == whole.filter(passes(filter)))
      }
    }
  }

  test("the counts of the last range are verified by reading the one before") {
    val count = rows.length.toLong
    val found = select(RowFilter(Map.empty, Map(Column.Seq -> AllowedNumbers(count - 1, count))))
    assert(found.ranges == select(RowFilter.All).ranges.takeRight(2))
  }

  test("another format is found if all ranges are skipped") {
    val filters = Seq(
      RowFilter(Map(Column.Subject -> one("<urn:none>"))),
      RowFilter(Map.empty, Map(Column.Seq -> AllowedNumbers(-2, -1)))
    )
    filters.foreach { filter =>
      assert(select(filter).ranges.isEmpty)
      val request = BatchRequest(Column.ofPatches.toSet, filter, TermValues)
      assert(ColumnReading.read(JellyPatch, bytes, request).error.isEmpty)
      intercept[MalformedInputException] {
        JellyRdf.batchReader(Map.empty, request).open(new MemoryFile(bytes), FilePart.Whole)
      }
    }
  }

  private def passes(filter: RowFilter)(row: Map[String, Any]): Boolean =
    filter.columns.forall { case (column, allowed) =>
      allowed.texts.forall(_.contains(s"${row(column.name)}"))
    } && filter.numbers.forall { case (column, allowed) =>
      val number = row(column.name).asInstanceOf[Long]
      allowed.overlap(number, number)
    }
}
