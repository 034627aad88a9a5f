package org.jellyspark.jelly.decoding

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.jelly.OptionsMessage

/** Checks that a stream needs no feature but those that its options announce (Jelly-RDF, "Stream
  * options").
  */
private[jellyspark] final class FeatureCheck(options: OptionsMessage) {

  /** Checks a term of a statement, of a quoted triple, or a graph.
    *
    * @throws MalformedRowException
    *   if it needs another
    */
  private[jelly] def check(position: Int, kind: Int): Unit = {
    import TermReader._
    if (kind == Triple && !options.rdfStar) malformed("no quoted triples, by the options", "one")
    val isGeneralized = position match {
      case Subject | Graph => kind == Literal
      case Predicate       => kind != Iri
      case _               => false
    }
    if (isGeneralized && !options.generalized) {
      malformed("no generalized statements, by the options", "one")
    }
  }
}
