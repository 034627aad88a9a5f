package org.jellyspark.jelly.decoding

import org.jellyspark.core.rows.RowOp

/** The content of the row that was decoded last. A decoder has one, and fills it again and again.
  */
private[jellyspark] final class DecodedRow {

  /** The held terms, which are those of the last statement. Other rows leave them, but for the
    * graph of a prefix.
    */
  private[jelly] val held = new HeldTerms

  /** The terms by [[Position]]: those of the row if it is a statement; its graph if [[hasGraph]].
    * Null for the default graph, and for what the request does not read.
    */
  def terms: Array[AnyRef] = held.terms

  /** Whether the row, which is not a statement, has a graph. */
  var hasGraph: Boolean = false

  /** The row's name, if its op has one. */
  var name: AnyRef = _

  /** The row's value; null if it has none. */
  var value: AnyRef = _

  /** Whether the row passes the filter. */
  var isWanted: Boolean = true

  /** Forgets all content, before another stream. */
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
