package org.jellyspark.core.terms

/** The two IRIs with which Apache Jena refers to the default graph.
  *
  * They can stand for the default graph in Jena's binary patches, and in the prefixes of its text
  * patches. Jena's datasets never use them as names of other graphs.
  */
private[jellyspark] object JenaDefaultGraph {
  private val Explicit = "urn:x-arq:DefaultGraph"
  private val Generated = "urn:x-arq:DefaultGraphNode"

  /** Returns [[DefaultGraph]] for null and for Jena's IRIs, and any other graph unchanged. */
  def resolve(graph: Term): Term = graph match {
    case null                           => DefaultGraph
    case Iri(Explicit) | Iri(Generated) => DefaultGraph
    case _                              => graph
  }
}
