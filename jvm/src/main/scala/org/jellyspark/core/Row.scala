package org.jellyspark.core

/** One row of a file, in whatever format; reused from row to row, so that what it holds is valid
  * until the next is read.
  *
  * `subject`, `predicate`, `obj` are set for `A` and `D`, `name` and `value` for `H`, `PA` and `PD`
  * (`value` null where a `PD` has none); `graph` is never null, and [[DefaultGraph]] where there is
  * none. The numbers are 0-based ordinals in the file, or [[Row.NoNumber]].
  */
final class Row {
  var op: RowOp = _
  var subject: Term = _
  var predicate: Term = _
  var obj: Term = _
  var graph: Term = DefaultGraph
  var name: String = _
  var value: Term = _

  /** Of the row's patch. */
  var patch: Long = Row.NoNumber

  /** Of the row's transaction. */
  var transaction: Long = Row.NoNumber

  /** Of the frame that holds the row. */
  var frame: Long = Row.NoNumber

  /** Of the row itself. */
  var seq: Long = Row.NoNumber

  /** Forgets what the row holds, but for its numbers. */
  def clear(): Unit = {
    op = null
    subject = null
    predicate = null
    obj = null
    graph = DefaultGraph
    name = null
    value = null
  }
}

object Row {

  /** In place of a number that a row has not. */
  val NoNumber: Long = Long.MinValue
}
