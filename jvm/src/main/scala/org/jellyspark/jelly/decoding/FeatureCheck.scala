package org.jellyspark.jelly.decoding

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.jelly.OptionsMessage
import org.jellyspark.jelly.wire.Wire

/** Checks that a stream only uses features that its options declare (Jelly-RDF, "Stream options"):
  * triple terms and generalized statements.
  */
private[jellyspark] final class FeatureCheck(options: OptionsMessage) {

  /** Checks a term of a statement or of a triple term, or a graph.
    *
    * @param position
    *   the position, from [[Position]]
    * @param kind
    *   the kind of the term, from [[TermKind]]
    * @throws MalformedRowException
    *   if the options do not declare the feature that the term needs
    */
  private[jelly] def check(position: Int, kind: Int): Unit = {
    if (kind == TermKind.Triple && !options.flag(Wire.Options.RdfStar)) {
      malformed("no triple term, since the options do not announce RDF-star", "a triple term")
    }
    val isGeneralized = position match {
      case Position.Subject | Position.Graph => kind == TermKind.Literal
      case Position.Predicate                => kind != TermKind.Iri
      case _                                 => false
    }
    if (isGeneralized && !options.flag(Wire.Options.Generalized)) {
      malformed(
        "no generalized statement, since the options do not announce generalized statements",
        "a generalized statement"
      )
    }
  }
}
