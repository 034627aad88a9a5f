package org.jellyspark.jelly.frames

import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

import org.scalacheck.Gen

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.{BatchRequest, FilePart}
import org.jellyspark.core.rows.{AllowedNumbers, AllowedValues, Column, Row, RowFilter, RowOp}
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
    SelectedRanges(new MemoryFile(bytes), part, BatchRequest(Set.empty, filter, TermValues))

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

  test("one wrong number in the index never changes rows") {
    val ops =
      "TX A A A TC A END A TX A A A A TC END TX D D TC TX A A A A A TC".split(' ').map(RowOp.ofCode)
    val rows = ops.zipWithIndex.map { case (op, n) =>
      if (op == RowOp.Add || op == RowOp.Delete) {
        RowValue(op, Iri("urn:s"), Iri("urn:p"), Iri(s"urn:o$n"), DefaultGraph)
      } else RowValue(op)
    }
    val options = JellyPatchOptions(
      frameSize = 3,
      restartInterval = 1,
      indexColumns = Set(Column.Object)
    )
    val bytes = PatchBytes.write(rows.toSeq, options)
    val points = RestartIndex.read(new MemoryFile(bytes))
    val request = BatchRequest(Column.ofPatches.toSet, RowFilter.All, TermValues)
    val whole = ColumnReading.read(JellyPatch, bytes, request).rows
    val filters = whole.flatMap { row =>
      val numbers: Map[Column, AllowedNumbers] = (for {
        column <- Seq[Column](Column.Seq, Column.Patch, Column.Tx)
        number = row(column.name).asInstanceOf[Long]
        if number != Row.NoNumber
      } yield column -> AllowedNumbers(number, number)).toMap
      val terms: Map[Column, AllowedValues] =
        Option(row(Column.Object.name)).map(term => Column.Object -> one(s"$term")).toMap
      numbers.map(number => RowFilter(Map.empty, Map(number))).toSeq ++
        Seq(RowFilter(terms), RowFilter(Map.empty, numbers), RowFilter(terms, numbers))
    }
    var found = 0
    forgeries(points).foreach { forged =>
      val file = withIndex(bytes, forged)
      filters.foreach { filter =>
        val read = ColumnReading.read(JellyPatch, file, request.copy(filter = filter))
        if (read.error.nonEmpty) found += 1
        else assert(read.rows.filter(passes(filter)) == whole.filter(passes(filter)))
      }
    }
    assert(points.length > 5 && found > 100)
  }

  private def forgeries(points: Seq[RestartPoint]): Seq[Seq[RestartPoint]] = for {
    number <- points.indices
    point = points(number)
    change <- Seq(-1L, 1L, 1L << 40)
    forged <- Seq(
      point.copy(frames = point.frames + change),
      point.copy(rows = point.rows + change),
      point.copy(namespaces = point.namespaces + change),
      point.copy(patches = point.patches + change),
      point.copy(transactions = point.transactions + change),
      point.copy(inTransaction = !point.inTransaction)
    )
  } yield points.updated(number, forged)

  /** A file with other points in its index, which its filters of one column fit. */
  private def withIndex(bytes: Array[Byte], points: Seq[RestartPoint]): Array[Byte] = {
    val out = ByteBuffer.wrap(bytes.clone).order(LITTLE_ENDIAN)
    val end = bytes.length - RestartIndex.fieldSizeOf(points.length)
    val sizes = TermFilters.EntrySize * (points.length + 1)
    val summed = java.util.Arrays.copyOfRange(bytes, end - 48 - sizes, end - 16)
    out.putLong(end - 16, TermFilters.crc(RestartIndex.encode(points), summed))
    out.put(
      bytes.length - RestartIndex.sizeOf(points.length),
      RestartIndex.encode(points, bytes.length.toLong)
    )
    assert(TermFilters.read(new MemoryFile(out.array), points).nonEmpty)
    out.array
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
