package org.jellyspark.core.rows

/** Rows of a file as columns: the `i`-th value of each belongs to row `i`. New for each batch: what
  * it holds stays valid.
  */
final class ColumnBatch {

  /** The number of rows. */
  var size: Int = 0

  /** Ordinals of the rows' [[RowOp]]s; null if the column was not asked for. */
  var ops: Array[Byte] = _

  /** Terms and texts, made by a [[TermFactory]], by the index of their column; of a column, null if
    * no row of the batch has one or it was not asked for.
    */
  val values: Array[Array[AnyRef]] = new Array(Column.all.length)

  /** Numbers by the index of their column, [[Row.NoNumber]] where there is none; of a column, null
    * if it was not asked for.
    */
  val numbers: Array[Array[Long]] = new Array(Column.all.length)
}
