package org.jellyspark.core.rows

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.terms.{Iri, QuotedTriple, Term}

/** What a row of a patch must have to be written, whatever the format. */
private[jellyspark] object RowRules {

  /** The rule that [[DefaultGraph]] breaks in another place than a graph's. */
  val DefaultGraphRule: String = "the default graph can only be a graph"

  /** The rule that triples break which are quoted deeper. */
  val DepthRule: String = s"triples are quoted more than ${QuotedTriple.MaxDepth} deep"

  /** The rule that a graph breaks which is a quoted triple. */
  val GraphRule: String = "a graph cannot be a quoted triple"

  /** The rule that the value of a `PA` or `PD` breaks which is another term. */
  val NamespaceRule: String = "the value of PA and PD must be an IRI"

  /** Checks that an `A` or `D` is complete.
    *
    * @throws RefusedException
    *   if it is not
    */
  def checkStatement(row: Row): Unit =
    if (!isStatement(row)) refuse("A and D need a subject, a predicate and an object")

  /** Whether a row has what a statement needs. */
  def isStatement(row: Row): Boolean =
    !row.subjectCell.isEmpty && !row.predicateCell.isEmpty && !row.objectCell.isEmpty

  /** Checks that an `H` is complete.
    *
    * @throws RefusedException
    *   if it is not
    */
  def checkHeader(row: Row): Unit =
    if (row.name == null || row.valueCell.isEmpty) refuse("H needs a name and a value")

  /** Checks that a `PA` or `PD` is complete.
    *
    * @throws RefusedException
    *   if it is not
    */
  def checkNamespace(row: Row): Unit = {
    if (row.name == null) refuse("PA and PD need a name")
    if (row.valueCell.isEmpty && row.op != RowOp.PrefixDelete) refuse("PA needs a value")
  }

  /** The IRI of a `PA`.
    *
    * @throws RefusedException
    *   if it is not complete, or has another term there
    */
  def namespace(row: Row): Iri = {
    checkNamespace(row)
    row.value match {
      case iri: Iri => iri
      case _        => refuse(NamespaceRule)
    }
  }

  /** Checks a `PD`, which has a name, where the format has no place for an IRI.
    *
    * @throws RefusedException
    *   if it has none, or an IRI
    */
  def checkPrefixDelete(row: Row): Unit = {
    if (row.name == null) refuse("PA and PD need a name")
    if (!row.valueCell.isEmpty) refuse("PD holds no value in this format")
  }

  /** Checks a graph where the format has none that is a quoted triple.
    *
    * @throws RefusedException
    *   if it is one
    */
  def checkGraph(graph: Term): Unit =
    if (graph.isInstanceOf[QuotedTriple]) refuse(GraphRule)
}
