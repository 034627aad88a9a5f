package org.jellyspark.formats.rdfpatch

import org.jellyspark.core.rows.{Row, RowOp, RowRules}
import org.jellyspark.core.terms.{DefaultGraph, JenaDefaultGraph}
import org.jellyspark.text.{Escapes, TextOutput, TurtleNames}

/** Writes rows in the current syntax of RDF Patch. The bytes are the same as those of Jena's
  * writer, except where Jena's reader could not read them back.
  */
private[rdfpatch] final class JenaStyleEncoder(out: TextOutput)
    extends TextEncoder(out, Escapes.JenaIris, Escapes.JenaLabels) {
  import JenaStyleEncoder.Holder

  /** Does nothing, because rows do not depend on each other. */
  override def restart(): Unit = ()

  override protected def putRow(row: Row): Unit = row.op match {
    case RowOp.Add | RowOp.Delete =>
      RowRules.checkStatement(row)
      out.put(row.op.code)
      out.put(' ')
      putTerm(row.subject)
      putTerm(row.predicate)
      putTerm(row.obj)
      putGraph(row)
    case RowOp.Header =>
      RowRules.checkHeader(row)
      out.put("H ")
      if (TurtleNames.isWord(row.name)) out.put(row.name, Escapes.NoEscapes, Holder)
      else putString(row.name, Holder)
      out.put(' ')
      putTerm(row.value)
    case RowOp.PrefixAdd =>
      val iri = RowRules.namespace(row)
      out.put("PA ")
      putString(row.name, Holder)
      out.put(' ')
      putString(iri.value, "a term")
      out.put(' ')
      putGraph(row)
    case RowOp.PrefixDelete =>
      RowRules.checkPrefixDelete(row)
      out.put("PD ")
      putString(row.name, Holder)
      out.put(' ')
      putGraph(row)
    case RowOp.TransactionStart  => out.put("TX ")
    case RowOp.TransactionCommit => out.put("TC ")
    case RowOp.TransactionAbort  => out.put("TA ")
    case RowOp.End               => out.put("Z ")
  }

  private def putGraph(row: Row): Unit = {
    RowRules.checkGraph(row.graph)
    JenaDefaultGraph.check(row.graph)
    if (row.graph ne DefaultGraph) putTerm(row.graph)
  }
}

private object JenaStyleEncoder {
  private val Holder = "a name"
}
