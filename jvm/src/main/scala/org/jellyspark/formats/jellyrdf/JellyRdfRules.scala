package org.jellyspark.formats.jellyrdf

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.rows.{Row, RowRules}

/** The rules for rows to be written as Jelly-RDF, with any encoder. The methods throw a
  * [[org.jellyspark.core.errors.RefusedException]] if a row breaks a rule.
  */
private[jellyspark] object JellyRdfRules {
  val RowRule: String = "a Jelly-RDF stream can hold only statements and namespaces"
  val NoGraphRule: String = "a stream of triples cannot hold a graph: set " +
    s"${JellyRdfOptions.PhysicalTypeKey} to QUADS or GRAPHS"
  val NamespaceValueRule: String = "the value of a namespace must be an IRI"

  /** Checks that a stream can have another frame, as only delimited ones can. */
  def checkNextFrame(options: JellyRdfOptions): Unit = if (!options.delimited)
    refuse("an undelimited stream can hold only one frame: set delimited to true")

  /** Checks that a statement is complete. */
  def checkStatement(row: Row): Unit =
    if (!RowRules.isStatement(row)) refuse("a statement needs a subject, a predicate and an object")

  /** Checks that a stream may declare namespaces, and that a row is a complete namespace without
    * terms of a statement.
    */
  def checkNamespace(row: Row, options: JellyRdfOptions): Unit = {
    if (!options.namespaces)
      refuse(s"a namespace needs the option ${JellyRdfOptions.NamespacesKey}: set it to true")
    val isOther = !row.subjectCell.isEmpty || !row.predicateCell.isEmpty ||
      !row.objectCell.isEmpty || !row.graphCell.isEmpty
    if (isOther) refuse("a row must be a statement or a namespace, not both")
    if (row.name == null || row.valueCell.isEmpty) refuse("a namespace needs a name and a value")
  }
}
