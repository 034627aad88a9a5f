package org.jellyspark.core.rows

import org.jellyspark.core.terms.TermCell

/** Builds rows from columns stored elsewhere, such as in a row of Spark.
  *
  * Columns that an op does not use are ignored: for example, `subject` in a `TX` row. Without a
  * column `op`, a row with a name declares a namespace and any other row is a statement. All
  * columns of such a namespace are read, to refuse it if it also has terms of a statement.
  *
  * @param columns
  *   the columns that are available
  */
abstract class RowBuilder(columns: Seq[Column]) {
  import Column._

  private[this] val target = new Row
  private[this] val all = new ColumnArrays(columns)
  // The columns of each op, indexed by its ordinal.
  private[this] val columnsOf =
    RowOp.values.map(op => new ColumnArrays(Column.of(op).filter(columns.contains))).toArray
  private[this] val hasName = columns.contains(Name)
  // By the index of the column.
  private[this] val cells = Column.all.map {
    case column: TermColumn => column.cell(target)
    case _                  => null
  }.toArray

  /** The op of the current row. Only called if there is a column `op`. */
  protected def op: RowOp

  /** Puts the term of an available column into its cell, which is empty. Leaves the cell empty if
    * the row has none.
    */
  protected def putTerm(column: TermColumn, cell: TermCell): Unit

  /** The string of an available column; null if the row has none. */
  protected def text(column: TextColumn): String

  /** The number of an available column; [[Row.NoNumber]] if the row has none. */
  protected def number(column: NumberColumn): Long

  /** Builds the current row.
    *
    * @return
    *   the same object each time
    */
  protected final def build(): Row = {
    target.clear()
    target.op =
      if (all.hasOp) op else if (hasName && text(Name) != null) RowOp.PrefixAdd else RowOp.Add
    putNumbers()
    val used = if (all.hasOp || target.op == RowOp.Add) columnsOf(target.op.ordinal) else all
    putTerms(used.terms)
    putTexts(used.texts)
    target
  }

  private def putNumbers(): Unit = {
    var i = 0
    while (i < all.numbers.length) {
      all.numbers(i).set(target, number(all.numbers(i)))
      i += 1
    }
  }

  private def putTerms(columns: Array[TermColumn]): Unit = {
    var i = 0
    while (i < columns.length) {
      putTerm(columns(i), cells(columns(i).index))
      i += 1
    }
  }

  private def putTexts(columns: Array[TextColumn]): Unit = {
    var i = 0
    while (i < columns.length) {
      columns(i).set(target, text(columns(i)))
      i += 1
    }
  }
}

/** Columns grouped by type in arrays, because every row loops over them. */
private[core] final class ColumnArrays(columns: Seq[Column]) {
  val hasOp: Boolean = columns.contains(Column.Op)
  val terms: Array[Column.TermColumn] =
    columns.collect { case column: Column.TermColumn => column }.toArray
  val texts: Array[Column.TextColumn] =
    columns.collect { case column: Column.TextColumn => column }.toArray
  val numbers: Array[Column.NumberColumn] =
    columns.collect { case column: Column.NumberColumn => column }.toArray
}
