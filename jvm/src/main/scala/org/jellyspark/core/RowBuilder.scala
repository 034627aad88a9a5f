package org.jellyspark.core

/** Makes rows of columns that stand somewhere else; asks for no column that rows of their code do
  * not have, so that it may hold anything. Where there is no column of codes, a row with a name is
  * the declaration of a namespace, and all its columns are asked for: it might be a statement.
  */
abstract class RowBuilder(columns: Seq[Column]) {
  import Column._

  private[this] val target = new Row
  private[this] val all = columns.toIndexedSeq
  private[this] val hasOp = columns.contains(Op)
  private[this] val hasName = columns.contains(Name)
  private[this] val numbers = columns.collect { case column: NumberColumn => column }.toArray

  /** The row's code. */
  protected def op: RowOp

  /** Null where there is none. */
  protected def term(column: TermColumn): Term

  /** Null where there is none. */
  protected def text(column: TextColumn): String

  /** [[Row.NoNumber]] where there is none. */
  protected def number(column: NumberColumn): Long

  /** The row that the columns make; the same object each time. */
  protected final def build(): Row = {
    target.clear()
    target.op =
      if (hasOp) op else if (hasName && text(Name) != null) RowOp.PrefixAdd else RowOp.Add
    numbers.foreach(column => column.set(target, number(column)))
    val others = if (hasOp || target.op == RowOp.Add) target.op.columns else all
    var i = 0
    while (i < others.length) {
      others(i) match {
        case column: TermColumn => column.set(target, term(column))
        case column: TextColumn => column.set(target, text(column))
        case _                  =>
      }
      i += 1
    }
    target
  }
}
