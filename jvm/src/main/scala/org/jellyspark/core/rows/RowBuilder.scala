package org.jellyspark.core.rows

import org.jellyspark.core.terms.TermCell

/** Makes rows of columns that stand somewhere else; asks for no column that rows of their code do
  * not have, so that it may hold anything. Where there is no column of codes, a row with a name is
  * the declaration of a namespace, and all its columns are asked for: it might be a statement.
  */
abstract class RowBuilder(columns: Seq[Column]) {
  import Column._

  private[this] val target = new Row
  private[this] val all = new Places(columns)
  // By the op's ordinal.
  private[this] val placesOf = RowOp.values.map(op => new Places(Column.of(op))).toArray
  private[this] val hasOp = columns.contains(Op)
  private[this] val hasName = columns.contains(Name)
  private[this] val numbers = columns.collect { case column: NumberColumn => column }.toArray

  /** The row's code. */
  protected def op: RowOp

  /** Puts the column's term into its cell, which is empty, if there is one. */
  protected def putTerm(column: TermColumn, cell: TermCell): Unit

  /** Null where there is none. */
  protected def text(column: TextColumn): String

  /** [[Row.NoNumber]] where there is none. */
  protected def number(column: NumberColumn): Long

  /** The row that the columns make; the same object each time. */
  protected final def build(): Row = {
    target.clear()
    target.op =
      if (hasOp) op else if (hasName && text(Name) != null) RowOp.PrefixAdd else RowOp.Add
    putNumbers()
    val places = if (hasOp || target.op == RowOp.Add) placesOf(target.op.ordinal) else all
    putTerms(places.terms)
    putTexts(places.texts)
    target
  }

  private def putNumbers(): Unit = {
    var i = 0
    while (i < numbers.length) {
      numbers(i).set(target, number(numbers(i)))
      i += 1
    }
  }

  private def putTerms(columns: Array[TermColumn]): Unit = {
    var i = 0
    while (i < columns.length) {
      putTerm(columns(i), columns(i).cell(target))
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

/** Columns of terms and texts, as arrays: they are gone through for every row. */
private final class Places(columns: Seq[Column]) {
  val terms: Array[Column.TermColumn] =
    columns.collect { case column: Column.TermColumn => column }.toArray
  val texts: Array[Column.TextColumn] =
    columns.collect { case column: Column.TextColumn => column }.toArray
}
