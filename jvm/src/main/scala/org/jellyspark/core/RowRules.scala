package org.jellyspark.core

import RefusedException.refuse

/** What a row of a patch must have to be written, whatever the format. */
private[jellyspark] object RowRules {

  /** The rule that [[DefaultGraph]] breaks in another place than a graph's. */
  val DefaultGraphRule: String = "the default graph can only be a graph"

  /** The rule that triples break which are quoted deeper. */
  val DepthRule: String = s"triples are quoted more than ${QuotedTriple.MaxDepth} deep"

  /** Checks that an `A` or `D` is complete.
    *
    * @throws RefusedException
    *   if it is not
    */
  def checkStatement(row: Row): Unit =
    if (row.subject == null || row.predicate == null || row.obj == null) {
      refuse("A and D need a subject, a predicate and an object")
    }

  /** Checks that an `H` is complete.
    *
    * @throws RefusedException
    *   if it is not
    */
  def checkHeader(row: Row): Unit =
    if (row.name == null || row.value == null) refuse("H needs a name and a value")

  /** The IRI of a `PA` or `PD`, which has a name; null where a `PD` has none.
    *
    * @throws RefusedException
    *   if it is not complete
    */
  def namespace(row: Row): Iri = {
    if (row.name == null) refuse("PA and PD need a name")
    row.value match {
      case iri: Iri                             => iri
      case null if row.op == RowOp.PrefixDelete => null
      case null                                 => refuse("PA needs a value")
      case _                                    => refuse("the value of PA and PD must be an IRI")
    }
  }

  /** Checks a `PD`, which has a name, where the format has no place for an IRI.
    *
    * @throws RefusedException
    *   if it has none, or an IRI
    */
  def checkPrefixDelete(row: Row): Unit = {
    if (row.name == null) refuse("PA and PD need a name")
    if (row.value != null) refuse("PD holds no value in this format")
  }

  /** Checks a graph where the format has none that is a quoted triple.
    *
    * @throws RefusedException
    *   if it is one
    */
  def checkGraph(graph: Term): Unit =
    if (graph.isInstanceOf[QuotedTriple]) refuse("a graph cannot be a quoted triple")
}
