package org.jellyspark.core.rows

import org.jellyspark.core.terms.{DefaultGraph, Term, TermCell}

/** One row of a file, in whatever format; reused from row to row, so that what it holds is valid
  * until the next is read.
  *
  * `subject`, `predicate`, `obj` are set for `A` and `D`, `name` and `value` for `H`, `PA` and `PD`
  * (`value` null where a `PD` has none); `graph` is never null, and [[DefaultGraph]] where there is
  * none. The numbers are 0-based ordinals in the file, or [[Row.NoNumber]].
  *
  * Terms stand in cells; the cell of the default graph is empty. To ask for a term whose cell holds
  * a text that is none raises a [[RefusedException]].
  */
final class Row {
  var op: RowOp = _
  val subjectCell: TermCell = new TermCell("subject")
  val predicateCell: TermCell = new TermCell("predicate")
  val objectCell: TermCell = new TermCell("object")
  val graphCell: TermCell = new TermCell("graph")
  var name: String = _
  val valueCell: TermCell = new TermCell("value")

  /** Of the row's patch. */
  var patch: Long = Row.NoNumber

  /** Of the row's transaction. */
  var transaction: Long = Row.NoNumber

  /** Of the frame that holds the row. */
  var frame: Long = Row.NoNumber

  /** Of the row itself. */
  var seq: Long = Row.NoNumber

  def subject: Term = subjectCell.term

  def subject_=(term: Term): Unit = subjectCell.put(term)

  def predicate: Term = predicateCell.term

  def predicate_=(term: Term): Unit = predicateCell.put(term)

  def obj: Term = objectCell.term

  def obj_=(term: Term): Unit = objectCell.put(term)

  def graph: Term = {
    val term = graphCell.term
    if (term eq null) DefaultGraph else term
  }

  def graph_=(term: Term): Unit = graphCell.put(term)

  def value: Term = valueCell.term

  def value_=(term: Term): Unit = valueCell.put(term)

  /** Forgets what the row holds, but for its numbers. */
  def clear(): Unit = {
    op = null
    subjectCell.clear()
    predicateCell.clear()
    objectCell.clear()
    graphCell.clear()
    name = null
    valueCell.clear()
  }
}

object Row {

  /** In place of a number that a row has not. */
  val NoNumber: Long = Long.MinValue
}
