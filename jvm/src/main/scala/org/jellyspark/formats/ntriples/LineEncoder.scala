package org.jellyspark.formats.ntriples

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.formats.RowEncoder
import org.jellyspark.core.rows.{Row, RowOp, RowRules}
import org.jellyspark.text.{StatementTermWriter, TextOutput}

/** Writes one statement per line, with canonical terms separated by single spaces.
  *
  * @param hasGraphs
  *   whether a statement may have a graph
  */
private[ntriples] final class LineEncoder(out: TextOutput, hasGraphs: Boolean) extends RowEncoder {
  import LineEncoder._

  private[this] val terms = new StatementTermWriter(out)

  override def write(row: Row): Unit = {
    check(row)
    terms.subject(row.subjectCell)
    out.put(' ')
    terms.predicate(row.predicateCell)
    out.put(' ')
    terms.obj(row.objectCell)
    if (!row.graphCell.isEmpty) {
      out.put(' ')
      terms.graph(row.graphCell)
    }
    out.put(" .\n")
    out.endRow()
  }

  override def finish(): Unit = out.flush()

  /** Does nothing, because lines do not depend on each other. */
  override def restart(): Unit = ()

  private def check(row: Row): Unit = {
    if (row.op == RowOp.PrefixAdd) refuse(NamespaceRule)
    if (row.op != RowOp.Add) refuse(StatementsRule)
    if (!RowRules.isStatement(row)) refuse("a statement needs a subject, a predicate and an object")
    if (!hasGraphs && !row.graphCell.isEmpty) refuse(GraphRule)
  }
}

private object LineEncoder {
  private val NamespaceRule = "a namespace cannot be written as N-Triples or N-Quads"
  private val StatementsRule = "N-Triples and N-Quads can hold only statements"
  private val GraphRule = "N-Triples cannot hold a graph: write nquads"
}
