package org.jellyspark.jelly.decoding

import org.jellyspark.core.rows.RowOp

/** The content of the last decoded row. A decoder reuses one object for all rows. */
private[jellyspark] final class DecodedRow {

  /** The held terms, which are those of the last statement. Other rows leave them unchanged, except
    * that a prefix may change the graph.
    */
  private[jelly] val held = new HeldTerms

  /** The terms by [[Position]]: those of the row if it is a statement, or its graph if
    * [[hasGraph]]. Null for the default graph, and for terms that the request does not read.
    */
  def terms: Array[AnyRef] = held.terms

  /** Whether the row has a graph, if it is not a statement. */
  var hasGraph: Boolean = false

  /** The row's name, if its op has one. */
  var name: AnyRef = _

  /** The row's value; null if it has none. */
  var value: AnyRef = _

  /** Whether the row passes the filter. */
  var isWanted: Boolean = true

  /** Clears all content, before another stream. */
  private[jelly] def restart(): Unit = {
    held.forget()
    hasGraph = false
    name = null
    value = null
    isWanted = true
  }
}

private[jelly] object DecodedRow {

  /** Whether rows of this op are statements. */
  def isStatement(op: RowOp): Boolean = (op eq RowOp.Add) || (op eq RowOp.Delete)
}
