package org.jellyspark.core.terms

import java.nio.charset.StandardCharsets.US_ASCII
import java.util.Arrays

import org.jellyspark.core.errors.RefusedException

/** The two IRIs with which Apache Jena refers to the default graph.
  *
  * They can stand for the default graph in Jena's binary patches, and in the prefixes of its text
  * patches. Jena's datasets never use them as names of other graphs.
  */
private[jellyspark] object JenaDefaultGraph {
  private val Explicit = "urn:x-arq:DefaultGraph"
  private val Generated = "urn:x-arq:DefaultGraphNode"
  private val Start = Explicit.getBytes(US_ASCII)

  /** Returns [[DefaultGraph]] for null and for Jena's IRIs, and any other graph unchanged. */
  def resolve(graph: Term): Term =
    if (graph == null || isName(graph)) DefaultGraph else graph

  /** Checks a graph in a format whose readers resolve Jena's IRIs.
    *
    * @throws RefusedException
    *   if it is one of Jena's IRIs
    */
  def check(graph: Term): Unit =
    if (isName(graph)) {
      RefusedException.refuse(
        s"a graph cannot be <$Explicit> or <$Generated>, which this format reads as the default " +
          "graph: use null for the default graph"
      )
    }

  /** Whether an IRI, `bytes[from, to)` without angle brackets, may be one of Jena's IRIs. True for
    * all IRIs that begin like them.
    */
  def mayBeName(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    val end = from + Start.length
    end <= to && Arrays.equals(bytes, from, end, Start, 0, Start.length)
  }

  private def isName(graph: Term): Boolean = graph match {
    case Iri(Explicit) | Iri(Generated) => true
    case _                              => false
  }
}
