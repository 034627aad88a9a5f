package org.jellyspark.core.formats

/** The counts of a reader, for metrics.
  *
  * @param ranges
  *   the number of restart ranges opened; a file without restart points is one range
  * @param filteredRows
  *   the number of rows that did not pass the filter
  * @param filteredBytes
  *   the number of bytes of these rows
  * @param passedBytes
  *   the number of bytes before its part that the reader has skipped
  */
final case class ReadCounts(
    ranges: Long,
    filteredRows: Long,
    filteredBytes: Long,
    passedBytes: Long = 0
) {
  def -(earlier: ReadCounts): ReadCounts = ReadCounts(
    ranges - earlier.ranges,
    filteredRows - earlier.filteredRows,
    filteredBytes - earlier.filteredBytes,
    passedBytes - earlier.passedBytes
  )
}

object ReadCounts {
  val Zero: ReadCounts = ReadCounts(0, 0, 0)
}
