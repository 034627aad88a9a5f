package org.jellyspark.formats.sparqlupdate

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import scala.collection.mutable

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.formats.RowEncoder
import org.jellyspark.core.rows.{Row, RowOp, RowRules}
import org.jellyspark.core.terms.{Literal, NTriples, Term, TermCell}
import org.jellyspark.text.{TextOutput, TurtleNames}

/** Writes a patch as a single update request. Consecutive additions, and consecutive deletions,
  * become one operation, in which consecutive statements of the same graph become one block.
  * Headers and prefixes become comments.
  */
private[sparqlupdate] final class UpdateEncoder(out: TextOutput, options: SparqlUpdateOptions)
    extends RowEncoder {
  import UpdateEncoder._

  private[this] val terms = new UpdateTermWriter(out, options.skolemBase)
  // Whether an operation has been written. If so, the next one begins with a separator.
  private[this] var hasOperation = false
  // The kind of the open operation; null if none is open.
  private[this] var kind: RowOp = _
  private[this] var statements = 0
  // The graph of the open block, as it was given; null for the default graph, which needs no block.
  private[this] var graph: Array[Byte] = _
  // Comments since the last operation. They are written after the separator, which is only written
  // if another operation follows.
  private[this] val comments = mutable.ArrayBuffer.empty[String]

  override def write(row: Row): Unit = {
    row.op match {
      case RowOp.Add | RowOp.Delete => statement(row)
      case RowOp.Header             =>
        RowRules.checkHeader(row)
        comment(row, text(row.value))
      case RowOp.PrefixAdd =>
        comment(row, text(RowRules.namespace(row)), graphOf(row))
      case RowOp.PrefixDelete =>
        RowRules.checkNamespace(row)
        comment(row, if (row.valueCell.isEmpty) "" else text(RowRules.namespace(row)), graphOf(row))
      case RowOp.TransactionAbort =>
        refuse("SPARQL Update has no rollback: squash the log first")
      case _ => endOperation()
    }
    out.endRow()
  }

  override def finish(): Unit = {
    endOperation()
    if (hasOperation) out.put('\n')
    putComments()
    out.flush()
  }

  override def restart(): Unit = hasOperation = false

  private def statement(row: Row): Unit = {
    RowRules.checkStatement(row)
    if (row.op != kind || statements == options.batchSize) {
      endOperation()
      beginOperation(row.op)
    }
    moveTo(row.graphCell)
    out.put(if (graph == null) "  " else "    ")
    terms.subject(row.subjectCell)
    out.put(' ')
    terms.predicate(row.predicateCell)
    out.put(' ')
    terms.obj(row.objectCell)
    out.put(" .\n")
    statements += 1
  }

  private def beginOperation(op: RowOp): Unit = {
    if (hasOperation) out.put(" ;\n")
    putComments()
    out.put(if (op == RowOp.Add) "INSERT DATA {\n" else "DELETE DATA {\n")
    hasOperation = true
    kind = op
    statements = 0
  }

  private def endOperation(): Unit = if (kind != null) {
    endBlock()
    out.put('}')
    kind = null
  }

  /** Moves to the block of a graph, unless it is already open. */
  private def moveTo(cell: TermCell): Unit = if (!isGraph(cell)) {
    endBlock()
    if (!cell.isEmpty) {
      out.put("  GRAPH ")
      terms.graph(cell)
      out.put(" {\n")
      graph = Arrays.copyOfRange(cell.bytes, cell.from, cell.from + cell.length)
    }
  }

  private def endBlock(): Unit = if (graph != null) {
    out.put("  }\n")
    graph = null
  }

  private def isGraph(cell: TermCell): Boolean =
    if (cell.isEmpty || graph == null) cell.isEmpty && graph == null
    else Arrays.equals(graph, 0, graph.length, cell.bytes, cell.from, cell.from + cell.length)

  private def comment(row: Row, parts: String*): Unit = {
    endOperation()
    val items = row.op.code +: name(row.name) +: parts.filter(_.nonEmpty)
    comments += SparqlText.comment(items.mkString("# ", " ", " .\n"))
  }

  private def putComments(): Unit = {
    comments.foreach(comment => out.put(comment.getBytes(UTF_8)))
    comments.clear()
  }
}

private object UpdateEncoder {

  /** Formats a term for a comment. */
  private def text(term: Term): String = NTriples.format(term)

  private def graphOf(row: Row): String = {
    RowRules.checkGraph(row.graph)
    if (row.graphCell.isEmpty) "" else text(row.graph)
  }

  /** Formats a name for a comment, as a word or as a quoted string. */
  private def name(name: String): String =
    if (TurtleNames.isWord(name)) name else text(Literal.simple(name))
}
