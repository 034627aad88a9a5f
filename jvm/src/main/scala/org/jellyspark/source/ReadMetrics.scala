package org.jellyspark.source

import org.apache.spark.sql.SparkSession
import org.apache.spark.util.LongAccumulator

import org.jellyspark.core.formats.{ReadCounts, RowFormat}

/** What the tasks of one scan have done. Spark's UI shows the accumulators with the stage, except
  * those that are 0.
  *
  * They are accumulators because Spark gives a `FileFormat` no way to add a metric to its scan.
  * Spark refers to them weakly, so they go with the plan of the query.
  */
private[source] final class ReadMetrics(
    batches: LongAccumulator,
    ranges: LongAccumulator,
    filteredRows: LongAccumulator,
    filteredBytes: LongAccumulator,
    passedBytes: LongAccumulator
) extends Serializable {

  /** Counts a batch that goes to Spark. */
  def addBatch(): Unit = batches.add(1)

  /** Adds what a reader has done since it was last asked. */
  def add(counts: ReadCounts): Unit = {
    add(ranges, counts.ranges)
    add(filteredRows, counts.filteredRows)
    add(filteredBytes, counts.filteredBytes)
  }

  /** Adds bytes before a split that a reader has passed over. */
  def addPassed(bytes: Long): Unit = add(passedBytes, bytes)

  // An accumulator to which 0 was added is shown.
  private def add(accumulator: LongAccumulator, count: Long): Unit =
    if (count != 0) accumulator.add(count)
}

private[source] object ReadMetrics {

  /** The accumulators of a new scan of this format. */
  def apply(format: RowFormat, spark: SparkSession): ReadMetrics = {
    def accumulator(name: String) =
      spark.sparkContext.longAccumulator(s"${format.shortName}: $name")
    new ReadMetrics(
      accumulator("batches"),
      accumulator("restart ranges read"),
      accumulator("rows skipped by filters"),
      accumulator("bytes skipped by filters"),
      accumulator("bytes passed over before splits")
    )
  }
}
