package org.jellyspark.jelly.encoding

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.rows.RowRules.GraphRule
import org.jellyspark.jelly.TermOptions

/** A place for a term in a message: the field for each kind of term, and the rule against each kind
  * that is not allowed there.
  *
  * @param other
  *   the field of a triple term or, for a graph, of the default graph
  * @param blankNodeRule
  *   the rule against blank nodes; null if they are allowed
  * @param literalRule
  *   the rule against literals; null if they are allowed
  * @param tripleRule
  *   the rule against triple terms; null if they are allowed
  */
private[jellyspark] final class TermPlace private (
    val iri: Int,
    val blankNode: Int,
    val literal: Int,
    val other: Int,
    blankNodeRule: String = null,
    literalRule: String = null,
    tripleRule: String
) {

  /** Refuses the row unless a blank node is allowed. */
  def checkBlankNode(): Unit = if (blankNodeRule != null) refuse(blankNodeRule)

  /** Like [[checkBlankNode]], but for a literal. */
  def checkLiteral(): Unit = if (literalRule != null) refuse(literalRule)

  /** Like [[checkBlankNode]], but for a triple term. */
  def checkTriple(): Unit = if (tripleRule != null) refuse(tripleRule)
}

private[jellyspark] object TermPlace {

  /** The subject of a triple or quad. */
  def subject(options: TermOptions): TermPlace = {
    val rule = unless(options.generalized, "a literal subject needs the option generalized")
    new TermPlace(1, 2, 3, 4, literalRule = rule, tripleRule = tripleRule(options))
  }

  /** The predicate of a triple or quad. */
  def predicate(options: TermOptions): TermPlace = {
    val rule =
      unless(options.generalized, "a predicate that is not an IRI needs the option generalized")
    new TermPlace(5, 6, 7, 8, rule, rule, if (rule == null) tripleRule(options) else rule)
  }

  /** The object of a triple or quad. */
  def obj(options: TermOptions): TermPlace = value(9, options)

  /** The graph of a quad. */
  def graph(options: TermOptions): TermPlace = graph(13, options)

  /** A graph, in a message where its four fields begin with the field of an IRI. */
  def graph(iri: Int, options: TermOptions): TermPlace = {
    val rule = unless(options.generalized, "a literal graph needs the option generalized")
    new TermPlace(iri, iri + 1, iri + 3, iri + 2, literalRule = rule, tripleRule = GraphRule)
  }

  /** Any term, in a message where its four fields begin with the field of an IRI. */
  def value(iri: Int, options: TermOptions): TermPlace =
    new TermPlace(iri, iri + 1, iri + 2, iri + 3, tripleRule = tripleRule(options))

  private def tripleRule(options: TermOptions): String =
    unless(options.rdfStar, "a triple term needs the option rdfStar")

  private def unless(allowed: Boolean, rule: String): String = if (allowed) null else rule
}
