package org.jellyspark.formats.jellyrdf

import eu.neverblink.jelly.core.internal.proto.{GraphBase, SpoBase}
import eu.neverblink.jelly.core.proto.v1.{RdfIri, RdfLiteral, RdfTriple}
import org.jellyspark.core.MalformedRowException.malformed
import org.jellyspark.jelly.OptionsMessage

/** Checks that a stream needs no feature but those that its options announce (Jelly-RDF, "Stream
  * options").
  */
private[jellyrdf] final class FeatureCheck(options: OptionsMessage) {
  private[this] val generalized = options.generalized
  private[this] val rdfStar = options.rdfStar

  /** Checks the terms of a statement, or of a quoted triple.
    *
    * @throws MalformedRowException
    *   if it needs another
    */
  def statement(message: SpoBase): Unit = {
    if (!generalized) {
      if (message.getSubject.isInstanceOf[RdfLiteral]) refuseGeneralized()
      message.getPredicate match {
        case null | _: RdfIri =>
        case _                => refuseGeneralized()
      }
    }
    quoted(message.getSubject)
    quoted(message.getPredicate)
    quoted(message.getObject)
  }

  /** Checks the graph of a quad or of a graph's start.
    *
    * @throws MalformedRowException
    *   if it needs another
    */
  def graph(message: GraphBase): Unit =
    if (!generalized && message.getGraph.isInstanceOf[RdfLiteral]) refuseGeneralized()

  private def quoted(term: AnyRef): Unit = term match {
    case triple: RdfTriple =>
      if (!rdfStar) malformed("no quoted triples, by the options", "one")
      statement(triple)
    case _ =>
  }

  private def refuseGeneralized(): Nothing =
    malformed("no generalized statements, by the options", "one")
}
