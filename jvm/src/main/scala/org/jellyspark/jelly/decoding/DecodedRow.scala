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

/** The held terms: the last term of each position, which the next statement may repeat.
  *
  * A statement omits a position to repeat its last term (Jelly-RDF, "Repeated terms"), so a term
  * remains here until its position gets another one. An element is null for the default graph, for
  * a position that the request does not read, and for a term that was never created because no row
  * with it passed the filter.
  */
private[jelly] final class HeldTerms {

  /** The terms by [[Position]]. */
  var terms: Array[AnyRef] = new Array[AnyRef](Position.OfQuad)

  /** Continues in a new array. Storing a reference into an old-generation object triggers a GC
    * write barrier, which an array as new as the batch avoids.
    */
  def renew(): Unit = terms = terms.clone()

  /** Forgets all held terms. */
  def forget(): Unit = terms = new Array[AnyRef](Position.OfQuad)
}
