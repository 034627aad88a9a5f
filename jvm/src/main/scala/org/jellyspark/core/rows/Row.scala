package org.jellyspark.core.rows

import org.jellyspark.core.terms.{DefaultGraph, Term, TermCell}

/** One row of a file, in any format. Readers and writers reuse one object for all rows, so its
  * content is only valid until the next row is read.
  *
  * `subject`, `predicate` and `obj` are set for `A` and `D`; `name` and `value` for `H`, `PA` and
  * `PD`, except that a `PD` may have no value. `graph` is never null; it is
  * [[org.jellyspark.core.terms.DefaultGraph]] for the default graph and if the row has no graph.
  * Numbers are 0-based ordinals, or [[Row.NoNumber]].
  *
  * Cells hold terms, as objects or as text. The cell of the default graph is empty. The accessors
  * throw a [[org.jellyspark.core.errors.RefusedException]] if a cell holds text that is not a term.
  */
final class Row {
  var op: RowOp = _
  val subjectCell: TermCell = new TermCell("subject")
  val predicateCell: TermCell = new TermCell("predicate")
  val objectCell: TermCell = new TermCell("object")
  val graphCell: TermCell = new TermCell("graph")
  var name: String = _
  val valueCell: TermCell = new TermCell("value")

  /** The ordinal of the row's patch in the file. */
  var patch: Long = Row.NoNumber

  /** The ordinal of the row's transaction in the file. */
  var transaction: Long = Row.NoNumber

  /** The ordinal of the row's frame in the file. */
  var frame: Long = Row.NoNumber

  /** The ordinal of the row in the file. */
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

  /** Clears the op, the name and the cells, but not the numbers. */
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

  /** Stands for a number that a row does not have. */
  val NoNumber: Long = Long.MinValue
}
