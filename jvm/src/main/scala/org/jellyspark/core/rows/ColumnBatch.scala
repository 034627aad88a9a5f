package org.jellyspark.core.rows

/** Rows of a file as columns: element `i` of each array belongs to row `i`. A reader creates a new
  * object for each batch, so its arrays remain valid.
  */
final class ColumnBatch {

  /** The number of rows. */
  var size: Int = 0

  /** The ordinals of the rows' [[RowOp]]s; null if the column was not requested. */
  var ops: Array[Byte] = _

  /** For each column index, the column's values, created by a
    * [[org.jellyspark.core.terms.TermFactory]]. Null for a column that was not requested, or that
    * is null in all rows of the batch.
    */
  val values: Array[Array[AnyRef]] = new Array(Column.all.length)

  /** For each column index, the column's numbers, with [[Row.NoNumber]] for rows without one. Null
    * for a column that was not requested.
    */
  val numbers: Array[Array[Long]] = new Array(Column.all.length)

  /** The text of a malformed row, in a batch that has only this row and no values; otherwise null.
    */
  var malformedRow: String = _
}
