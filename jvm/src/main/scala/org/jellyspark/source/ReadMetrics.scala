package org.jellyspark.source

import org.apache.spark.sql.SparkSession
import org.apache.spark.util.LongAccumulator

import org.jellyspark.core.formats.{ReadCounts, RowFormat}

/** Metrics of the tasks of one scan. Spark's UI shows the accumulators with the stage, except those
  * that are 0.
  *
  * They are accumulators because Spark gives a `FileFormat` no way to add metrics to its scan.
  * Spark refers to them weakly, so they are freed with the plan of the query.
  */
private[source] final class ReadMetrics(
    batches: LongAccumulator,
    ranges: LongAccumulator,
    filteredRows: LongAccumulator,
    filteredBytes: LongAccumulator,
    passedBytes: LongAccumulator,
    skippedRanges: LongAccumulator,
    skippedBytes: LongAccumulator
) extends Serializable {

  /** Counts a batch that is passed to Spark. */
  def addBatch(): Unit = batches.add(1)

  /** Adds the difference between a reader's counts now and when they were last taken. */
  def add(counts: ReadCounts): Unit = {
    add(ranges, counts.ranges)
    add(filteredRows, counts.filteredRows)
    add(filteredBytes, counts.filteredBytes)
    add(passedBytes, counts.passedBytes)
    add(skippedRanges, counts.skippedRanges)
    add(skippedBytes, counts.skippedBytes)
  }

  // Adding 0 would make Spark's UI show the accumulator.
  private def add(accumulator: LongAccumulator, count: Long): Unit =
    if (count != 0) accumulator.add(count)
}

private[source] object ReadMetrics {

  /** Creates the accumulators of a new scan of `format`. */
  def apply(format: RowFormat, spark: SparkSession): ReadMetrics = {
    def accumulator(name: String) =
      spark.sparkContext.longAccumulator(s"${format.shortName}: $name")
    new ReadMetrics(
      accumulator("batches"),
      accumulator("restart ranges read"),
      accumulator("rows skipped by filters"),
      accumulator("bytes skipped by filters"),
      accumulator("bytes passed over before splits"),
      accumulator("restart ranges skipped"),
      accumulator("bytes of skipped restart ranges")
    )
  }
}
