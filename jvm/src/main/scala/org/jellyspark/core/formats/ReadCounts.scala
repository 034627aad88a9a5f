package org.jellyspark.core.formats

/** What a reader has done so far, for those who watch it.
  *
  * @param ranges
  *   the restart ranges that were opened; a file without restart points is one
  * @param filteredRows
  *   the rows that did not pass the filter
  * @param filteredBytes
  *   the bytes of these rows
  */
final case class ReadCounts(ranges: Long, filteredRows: Long, filteredBytes: Long) {
  def -(earlier: ReadCounts): ReadCounts = ReadCounts(
    ranges - earlier.ranges,
    filteredRows - earlier.filteredRows,
    filteredBytes - earlier.filteredBytes
  )
}

object ReadCounts {
  val Zero: ReadCounts = ReadCounts(0, 0, 0)
}
