package org.jellyspark.core.rows

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.terms.{Iri, TripleTerm, Term}

/** The rules for rows to be written, in any format. The methods throw a
  * [[org.jellyspark.core.errors.RefusedException]] if a row breaks a rule.
  */
private[jellyspark] object RowRules {
  val DefaultGraphRule: String =
    "the default graph can only be the graph of a row, not another term"
  val DepthRule: String = s"triple terms must be nested at most ${TripleTerm.MaxDepth} deep"
  val GraphRule: String = "a graph cannot be a triple term"
  val NamespaceRule: String = "the value of PA and PD must be an IRI"
  val StatementRule: String = "A and D need a subject, a predicate and an object"
  val HeaderRule: String = "H needs a name and a value"
  val PrefixNameRule: String = "PA and PD need a name"
  val PrefixValueRule: String = "PA needs a value"

  /** Checks that an `A` or `D` is complete. */
  def checkStatement(row: Row): Unit = if (!isStatement(row)) refuse(StatementRule)

  /** Whether a row has a subject, a predicate and an object. */
  def isStatement(row: Row): Boolean =
    !row.subjectCell.isEmpty && !row.predicateCell.isEmpty && !row.objectCell.isEmpty

  /** Checks that an `H` is complete. */
  def checkHeader(row: Row): Unit =
    if (row.name == null || row.valueCell.isEmpty) refuse(HeaderRule)

  /** Checks that a `PA` or `PD` is complete. */
  def checkNamespace(row: Row): Unit = {
    if (row.name == null) refuse(PrefixNameRule)
    if (row.valueCell.isEmpty && row.op != RowOp.PrefixDelete) refuse(PrefixValueRule)
  }

  /** Returns the IRI of a `PA` or `PD`, which must be complete. */
  def namespace(row: Row): Iri = {
    checkNamespace(row)
    row.value match {
      case iri: Iri => iri
      case _        => refuse(NamespaceRule)
    }
  }

  /** Checks that a `PD` has a name, and no IRI, which some formats cannot represent. */
  def checkPrefixDelete(row: Row): Unit = {
    if (row.name == null) refuse(PrefixNameRule)
    if (!row.valueCell.isEmpty) refuse("the value of PD must be null in this format")
  }

  /** Checks that the graph is not a triple term, which some formats cannot represent. */
  def checkGraph(graph: Term): Unit =
    if (graph.isInstanceOf[TripleTerm]) refuse(GraphRule)
}
