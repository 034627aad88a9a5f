package org.jellyspark.formats.ntriples

import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.formats._
import org.jellyspark.core.rows.{Column, Row, RowOp, RowRules}
import org.jellyspark.text.{StatementTermWriter, TextOutput}

/** The N-Triples format: one triple per line. */
object NTriplesFormat extends LineFormat(hasGraphs = false) {
  override def shortName: String = "ntriples"

  override def title: String = "N-Triples"

  override def extension: String = ".nt"
}

/** The N-Quads format: one quad per line. */
object NQuadsFormat extends LineFormat(hasGraphs = true) {
  override def shortName: String = "nquads"

  override def title: String = "N-Quads"

  override def extension: String = ".nq"
}

/** A format with one statement per line.
  *
  * Lines do not depend on each other, so a file can be read from any byte offset. For the same
  * reason its rows have no `seq` in Spark: computing it would need all earlier lines.
  *
  * @param hasGraphs
  *   whether a statement may have a graph
  */
sealed abstract class LineFormat(hasGraphs: Boolean) extends RowFormat {
  import Column.{Frame, Graph, Name, Object, Predicate, Subject, Value}

  override def columns(options: Map[String, String]): Seq[Column] =
    List(Subject, Predicate, Object, Graph)

  /** The columns of a Jelly-RDF statement. */
  override val allColumns: Seq[Column] =
    List(Subject, Predicate, Object, Graph, Name, Value, Frame, Column.Seq)

  /** Columns of Jelly-RDF that are ignored, so that its rows can be written unchanged. */
  override def ignoredColumns: Seq[Column] = List(Frame, Column.Seq)

  override def canSkipRows: Boolean = true

  override def canSplit: Boolean = true

  override def optionNames: Seq[String] = RowFormat.ReadKeys

  override def reader(options: Map[String, String]): ReaderFactory = {
    val parser = new OptionParser(options)
    val (strict, rowLimit) = (RowFormat.strict(parser), RowFormat.rowLimit(parser))
    (in, file, part) => {
      in.skipNBytes(LineInput.startOf(part))
      val lines = new LineInput(in, file, part, rowLimit)
      new LineRowReader(lines, new LineParser(hasGraphs, strict, rowLimit))
    }
  }

  override def batchReader(
      options: Map[String, String],
      request: BatchRequest
  ): BatchReaderFactory = {
    val parser = new OptionParser(options)
    val (strict, rowLimit) = (RowFormat.strict(parser), RowFormat.rowLimit(parser))
    (file, part) => new LineBatchReader(file, part, hasGraphs, strict, rowLimit, request)
  }

  override def writer(options: Map[String, String]): WriterFactory =
    out => new RowWriter(new LineEncoder(new TextOutput(out), hasGraphs), allColumns)
}

/** Writes one statement per line, with canonical terms separated by single spaces.
  *
  * @param hasGraphs
  *   whether a statement may have a graph
  */
private final class LineEncoder(out: TextOutput, hasGraphs: Boolean) extends RowEncoder {
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

/** Reads lines as rows of terms. After a malformed row, reading continues on the next line. */
private final class LineRowReader(input: LineInput, parser: LineParser) extends RowReader {
  private[this] var rows = 0L
  // Whether the last row was malformed. The rest of its line, which may be very long, is skipped
  // later.
  private[this] var isAtMalformed = false

  override val row = new Row

  override def malformedRow: String = input.rowText

  override def next(): Boolean =
    try {
      if (isAtMalformed) input.skipLine()
      isAtMalformed = false
      input.find(mayRead = true) == LineInput.Found && {
        parser.parse(input.bytes, input.pos, input.lineEnd, row)
        input.skipLine()
        number()
        true
      }
    } catch {
      case e: MalformedRowException =>
        isAtMalformed = true
        val error = input.located(e, rows)
        row.clear()
        number()
        throw error
    }

  private def number(): Unit = {
    row.seq = rows
    rows += 1
  }
}
