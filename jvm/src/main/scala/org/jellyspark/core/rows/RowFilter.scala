package org.jellyspark.core.rows

/** A filter on the values of a row's columns. A column that is not in the map may have any value.
  */
final case class RowFilter(columns: Map[Column, AllowedValues]) {

  /** The allowed values of a column; null if every value is allowed. */
  def of(column: Column): AllowedValues = columns.getOrElse(column, null)
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
