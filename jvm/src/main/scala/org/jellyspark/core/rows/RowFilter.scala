package org.jellyspark.core.rows

/** The values that columns may have in the rows that are wanted; those that are not named may have
  * any.
  */
final case class RowFilter(columns: Map[Column, AllowedValues]) {

  /** The values that a column may have; null if it may have any. */
  def of(column: Column): AllowedValues = columns.getOrElse(column, null)
}

object RowFilter {
  val All: RowFilter = RowFilter(Map.empty)
}

/** The values that a column may have.
  *
  * @param nulls
  *   whether it may have none
  * @param texts
  *   the texts that it may have, in the form of the column: codes, or terms in canonical N-Triples
  *   syntax (another text is no term's); None for any
  */
final case class AllowedValues(nulls: Boolean, texts: Option[Set[String]]) {

  /** Those of both. */
  def and(other: AllowedValues): AllowedValues = AllowedValues(
    nulls && other.nulls,
    (texts ++ other.texts).reduceOption(_ intersect _)
  )
}
