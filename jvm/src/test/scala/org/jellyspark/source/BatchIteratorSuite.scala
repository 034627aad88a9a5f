package org.jellyspark.source

import java.io.ByteArrayInputStream

import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}
import org.apache.spark.util.LongAccumulator
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.{BatchReader, ReadCounts}
import org.jellyspark.core.rows.ColumnBatch
import org.jellyspark.source.files.FileHead

class BatchIteratorSuite extends AnyFunSuite {

  // The beginning of a file of the format.
  private val Start = Array[Byte](0x20, 0x0a, 0x0e, 0x0a, 0x0c, 0x08, 0x02)

  private def malformed(): MalformedInputException =
    MalformedInputException.inFrame("file", 0, -1, "this", "that")

  /** A reader of batches of these sizes, with an error in place of each 0.
    *
    * @param skips
    *   whether it can resume after an error
    */
  private final class Reader(sizes: Seq[Int], skips: Boolean) extends BatchReader {
    private[this] val left = sizes.iterator
    var closed = 0

    override def next(): ColumnBatch =
      if (left.hasNext) {
        val batch = new ColumnBatch
        batch.size = left.next()
        if (batch.size == 0) throw malformed()
        batch
      } else null

    override def skip(): Boolean = skips && left.hasNext

    override def counts: ReadCounts = ReadCounts(ranges = 1, filteredRows = 5, filteredBytes = 70)

    override def close(): Unit = closed += 1
  }

  private val batches, ranges, rows, bytes, passed, skipped, skippedBytes = new LongAccumulator
  private val metrics =
    new ReadMetrics(batches, ranges, rows, bytes, passed, skipped, skippedBytes)

  // How many iterators were read to their ends.
  private var ends = 0

  private def iterator(reader: => BatchReader, dropped: LongAccumulator = null): BatchIterator =
    new BatchIterator(
      () => reader,
      new FileHead("jelly_patch", () => new ByteArrayInputStream(Start)),
      batch => new ColumnarBatch(Array.empty[ColumnVector], batch.size),
      metrics,
      new MalformedRowHandler(areKept = false, corruptColumn = null, skipsRows = false, dropped),
      () => ends += 1
    )

  private def sizes(batches: BatchIterator): Seq[Int] = batches.map(_.numRows()).toList

  test("the reader is closed once, after the last batch") {
    val reader = new Reader(Seq(3, 2), skips = false)
    val batches = iterator(reader)
    val before = ends
    assert(sizes(batches) == Seq(3, 2))
    assert(!batches.hasNext && reader.closed == 1 && ends == before + 1)
    intercept[NoSuchElementException](batches.next())
    batches.close()
    assert(reader.closed == 1)
  }

  test("the reader is closed with the iterator") {
    val reader = new Reader(Seq(3, 2), skips = false)
    val batches = iterator(reader)
    assert(batches.hasNext)
    val before = ends
    batches.close()
    assert(!batches.hasNext && reader.closed == 1 && ends == before)
  }

  test("an iterator that is not used does not open a reader") {
    iterator(fail("opened")).close()
  }

  test("FAILFAST: malformed input is an error") {
    val batches = iterator(new Reader(Seq(3, 0), skips = true))
    assert(batches.next().numRows() == 3)
    intercept[MalformedInputException](batches.hasNext)
  }

  test("DROPMALFORMED: malformed input is dropped and counted, as long as the reader can resume") {
    val dropped = new LongAccumulator
    assert(
      sizes(iterator(new Reader(Seq(3, 0, 2, 0, 0, 1), skips = true), dropped)) == Seq(3, 2, 1)
    )
    assert(dropped.value == 3)
    assert(sizes(iterator(new Reader(Seq(3, 0, 2), skips = false), dropped)) == Seq(3))
    assert(dropped.value == 4)
    assert(sizes(iterator(throw malformed(), dropped)).isEmpty)
    assert(dropped.value == 5)
  }

  test("what a reader has done is counted once") {
    def values = Seq(batches, ranges, rows, bytes, passed).map(_.value.toLong)
    val before = values
    assert(sizes(iterator(new Reader(Seq(3, 2), skips = false))) == Seq(3, 2))
    assert(
      values.zip(before).map { case (after, earlier) => after - earlier } == Seq(2, 1, 5, 70, 0)
    )
  }

  test("an error while resuming is an error, whatever the mode") {
    val reader = new BatchReader {
      override def next(): ColumnBatch = throw malformed()
      override def skip(): Boolean = throw malformed()
      override def close(): Unit = ()
    }
    intercept[MalformedInputException](iterator(reader, new LongAccumulator).hasNext)
  }
}
