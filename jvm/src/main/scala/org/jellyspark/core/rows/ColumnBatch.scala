package org.jellyspark.core.rows

import java.util.Arrays

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

  /** The text of a malformed row, in a batch that has only this row, without op and values;
    * otherwise null.
    */
  var malformedRow: String = _

  /** Makes room for this number of rows. */
  def resize(capacity: Int): Unit = {
    if (ops != null) ops = Arrays.copyOf(ops, capacity)
    resize(values)(Arrays.copyOf(_, capacity))
    resize(numbers)(Arrays.copyOf(_, capacity))
  }

  private def resize[A <: AnyRef](columns: Array[A])(copy: A => A): Unit =
    columns.indices.foreach(i => if (columns(i) != null) columns(i) = copy(columns(i)))
}

object ColumnBatch {

  /** The maximum number of rows in a batch of a file: the same as in Spark's own columnar readers.
    */
  final val MaxRows = 4096

  /** The number of rows in the batch after a malformed row, as more malformed rows may follow
    * closely. The batches after it grow to [[MaxRows]] again.
    */
  final val FewRows = 32

  /** The approximate limit for the bytes of a batch's terms, not counting its last row. */
  final val MaxBytes = 1L << 22

  // The longest array that every JVM can allocate.
  private final val MaxLength = Int.MaxValue - 8L

  /** The room for rows of a batch that has no more room for them. */
  def longer(capacity: Int): Int = math.min(2L * capacity, MaxLength).toInt
}
