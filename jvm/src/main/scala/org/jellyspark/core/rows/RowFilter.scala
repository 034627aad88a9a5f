package org.jellyspark.core.rows

/** A filter on the values of a row's columns. A column that is in neither map may have any value.
  *
  * @param numbers
  *   the numbers of the rows that are needed. Readers use them to skip parts of a file, and may
  *   also return rows with other numbers.
  */
final case class RowFilter(
    columns: Map[Column, AllowedValues],
    numbers: Map[Column, AllowedNumbers] = Map.empty
) {

  /** The allowed values of a column; null if every value is allowed. */
  def of(column: Column): AllowedValues = columns.getOrElse(column, null)

  /** Whether rows of an op are allowed. */
  def allows(op: RowOp): Boolean = {
    val allowed = of(Column.Op)
    allowed == null || allowed.texts.forall(_.contains(op.code))
  }
}

object RowFilter {
  val All: RowFilter = RowFilter(Map.empty)
}

/** The allowed values of a column.
  *
  * @param nulls
  *   whether null is allowed
  * @param texts
  *   the allowed strings: codes of ops, or terms in canonical N-Triples syntax, of which each term
  *   has exactly one; None if every string is allowed
  */
final case class AllowedValues(nulls: Boolean, texts: Option[Set[String]]) {

  /** The values that both allow. */
  def and(other: AllowedValues): AllowedValues = AllowedValues(
    nulls && other.nulls,
    (texts ++ other.texts).reduceOption(_ intersect _)
  )
}

/** The allowed values of a column of numbers, of which null is never one.
  *
  * @param min
  *   the least allowed number
  * @param max
  *   the greatest allowed number
  * @param values
  *   the allowed numbers in between; None if all are allowed
  */
final case class AllowedNumbers(min: Long, max: Long, values: Option[Set[Long]] = None) {

  /** The numbers that both allow. */
  def and(other: AllowedNumbers): AllowedNumbers = AllowedNumbers(
    math.max(min, other.min),
    math.min(max, other.max),
    (values ++ other.values).reduceOption(_ intersect _)
  )

  /** Whether a number from `first` to `last`, both inclusive, is allowed. */
  def overlap(first: Long, last: Long): Boolean = {
    val (least, most) = (math.max(min, first), math.min(max, last))
    least <= most && values.forall(_.exists(value => value >= least && value <= most))
  }
}
