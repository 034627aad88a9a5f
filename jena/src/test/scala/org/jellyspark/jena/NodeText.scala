package org.jellyspark.jena

import org.apache.jena.graph.Node

import org.jellyspark.core.terms.NTriples
import org.jellyspark.jena.codecs.JenaTerms

/** Nodes in N-Triples syntax. */
object NodeText {
  def apply(nodes: Node*): Seq[String] = nodes.map(node => NTriples.format(JenaTerms.toTerm(node)))
}
