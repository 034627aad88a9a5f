package org.jellyspark.jelly.decoding

/** The held terms: the last term of each position, which the next statement may repeat.
  *
  * A statement leaves out a position to repeat its last term (Jelly-RDF, "Repeated terms"), so a
  * term stays here until its position gets another one. An entry is null for the default graph, for
  * a position that the request does not read, and for a term that was never made because no row
  * that passes the filter has it.
  */
private[jelly] final class HeldTerms {

  /** The terms by [[Position]]. */
  var terms: Array[AnyRef] = new Array[AnyRef](Position.OfQuad)

  /** Continues in a new array. Storing a reference into an old-generation object triggers a GC
    * write barrier; an array that is as new as the batch avoids it.
    */
  def renew(): Unit = terms = terms.clone()

  /** Holds no terms any more. */
  def forget(): Unit = terms = new Array[AnyRef](Position.OfQuad)
}
