package org.jellyspark.core.rows

import org.jellyspark.core.terms.{Term, TermCell}

/** A column that the rows of a format may have. Its subclasses get and set the value of a row.
  *
  * @param name
  *   the name that users see
  * @param index
  *   the index in [[Column.all]]
  */
sealed abstract class Column(val name: String, val index: Int) {
  override def toString: String = name
}

object Column {

  /** The code of the row's [[RowOp]]. */
  case object Op extends Column("op", 0)

  /** A column of terms. Null if the row has no term, and for the default graph.
    *
    * @param cell
    *   the cell of a row that holds the term
    */
  sealed abstract class TermColumn(name: String, index: Int, val cell: Row => TermCell)
      extends Column(name, index) {
    final def get(row: Row): Term = cell(row).term
    final def set(row: Row, term: Term): Unit = cell(row).put(term)
  }

  /** A column of strings that are not terms. Null if the row has no string. */
  sealed abstract class TextColumn(name: String, index: Int) extends Column(name, index) {
    def get(row: Row): String
    def set(row: Row, text: String): Unit
  }

  /** A column of 0-based ordinals. [[Row.NoNumber]] if the row has no ordinal. */
  sealed abstract class NumberColumn(name: String, index: Int) extends Column(name, index) {
    def get(row: Row): Long
    def set(row: Row, number: Long): Unit
  }

  case object Subject extends TermColumn("subject", 1, _.subjectCell)
  case object Predicate extends TermColumn("predicate", 2, _.predicateCell)
  case object Object extends TermColumn("object", 3, _.objectCell)
  case object Graph extends TermColumn("graph", 4, _.graphCell)
  case object Value extends TermColumn("value", 6, _.valueCell)

  case object Name extends TextColumn("name", 5) {
    override def get(row: Row): String = row.name
    override def set(row: Row, text: String): Unit = row.name = text
  }

  case object Patch extends NumberColumn("patch", 7) {
    override def get(row: Row): Long = row.patch
    override def set(row: Row, number: Long): Unit = row.patch = number
  }

  case object Tx extends NumberColumn("tx", 8) {
    override def get(row: Row): Long = row.transaction
    override def set(row: Row, number: Long): Unit = row.transaction = number
  }

  case object Frame extends NumberColumn("frame", 9) {
    override def get(row: Row): Long = row.frame
    override def set(row: Row, number: Long): Unit = row.frame = number
  }

  case object Seq extends NumberColumn("seq", 10) {
    override def get(row: Row): Long = row.seq
    override def set(row: Row, number: Long): Unit = row.seq = number
  }

  /** All columns, indexed by `Column.index`. */
  val all: IndexedSeq[Column] = IndexedSeq(
    Op,
    Subject,
    Predicate,
    Object,
    Graph,
    Name,
    Value,
    Patch,
    Tx,
    Frame,
    Seq
  )

  /** The columns of the patch formats. */
  val ofPatches: List[Column] =
    List(Op, Subject, Predicate, Object, Graph, Name, Value, Patch, Tx, Seq)

  /** The columns of terms and text that rows of an op use. Writers ignore all others.
    *
    * @param op
    *   not null
    */
  def of(op: RowOp): List[Column] = op match {
    case RowOp.Add | RowOp.Delete             => List(Subject, Predicate, Object, Graph)
    case RowOp.Header                         => List(Name, Value)
    case RowOp.PrefixAdd | RowOp.PrefixDelete => List(Name, Value, Graph)
    case _                                    => Nil
  }
}
