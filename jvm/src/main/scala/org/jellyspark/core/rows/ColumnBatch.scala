package org.jellyspark.core.rows

/** Rows of a file as columns: value `i` of each array belongs to row `i`. A reader makes a new
  * object for each batch, so its arrays stay valid.
  */
final class ColumnBatch {

  /** The number of rows. */
  var size: Int = 0

  /** The ordinals of the rows' [[RowOp]]s; null if the column was not asked for. */
  var ops: Array[Byte] = _

  /** By the index of a column, the values that a [[org.jellyspark.core.terms.TermFactory]] made for
    * it. Null for a column that was not asked for, or that no row of the batch has.
    */
  val values: Array[Array[AnyRef]] = new Array(Column.all.length)

  /** By the index of a column, its numbers, with [[Row.NoNumber]] for rows that have none. Null for
    * a column that was not asked for.
    */
  val numbers: Array[Array[Long]] = new Array(Column.all.length)

  /** The text of a malformed row, where a batch has this one row and no values; else null. */
  var malformedRow: String = _
}
