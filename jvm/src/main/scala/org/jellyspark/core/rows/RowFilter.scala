package org.jellyspark.core.rows

/** A filter of rows, by the values of their columns. A column that is not in the map may have any
  * value.
  */
final case class RowFilter(columns: Map[Column, AllowedValues]) {

  /** The values that a column may have; null for any value. */
  def of(column: Column): AllowedValues = columns.getOrElse(column, null)
}

object RowFilter {
  val All: RowFilter = RowFilter(Map.empty)
}

/** The values that a column may have.
  *
  * @param nulls
  *   whether the column may be null
  * @param texts
  *   the strings that it may have: codes of ops, or terms in canonical N-Triples syntax, as no term
  *   has another text; None for any string
  */
final case class AllowedValues(nulls: Boolean, texts: Option[Set[String]]) {

  /** The values that both allow. */
  def and(other: AllowedValues): AllowedValues = AllowedValues(
    nulls && other.nulls,
    (texts ++ other.texts).reduceOption(_ intersect _)
  )
}
