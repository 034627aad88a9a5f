package org.jellyspark.jelly.decoding

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
