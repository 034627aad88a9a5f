package org.jellyspark.core.terms

/** The two IRIs by which Apache Jena refers to the default graph.
  *
  * Jena's binary patches, and the prefixes in its text, can name the default graph with them.
  * Jena's datasets never use them as names of other graphs.
  */
private[jellyspark] object JenaDefaultGraph {
  private val Explicit = "urn:x-arq:DefaultGraph"
  private val Generated = "urn:x-arq:DefaultGraphNode"

  /** Returns [[DefaultGraph]] for null and for Jena's IRIs, and any other graph as it is. */
  def resolve(graph: Term): Term = graph match {
    case null                           => DefaultGraph
    case Iri(Explicit) | Iri(Generated) => DefaultGraph
    case _                              => graph
  }
}
