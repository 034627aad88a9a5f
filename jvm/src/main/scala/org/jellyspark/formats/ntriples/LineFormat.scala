package org.jellyspark.formats.ntriples

import java.io.{BufferedInputStream, InputStream}

import org.jellyspark.OptionException
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.formats._
import org.jellyspark.core.rows.{Column, Row, RowOp, RowRules}
import org.jellyspark.text.{CanonicalTermWriter, StatementTermWriter, TextOutput}

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
  import LineFormat._

  override def columns(options: Map[String, String]): Seq[Column] =
    List(Subject, Predicate, Object, Graph, Frame)

  /** The columns of a Jelly-RDF statement. */
  override val allColumns: Seq[Column] =
    List(Subject, Predicate, Object, Graph, Name, Value, Frame, Column.Seq)

  /** The column of Jelly-RDF that is ignored, so that its rows can be written unchanged. */
  override def ignoredColumns: Seq[Column] = List(Column.Seq)

  override def canSkipRows: Boolean = true

  override def canSplit: Boolean = true

  override def optionNames: Seq[String] = Seq(VersionKey, CanonicalKey) ++ RowFormat.ReadKeys

  override def reader(options: Map[String, String]): ReaderFactory = {
    val parser = new OptionParser(options)
    val (strict, rowLimit) = (RowFormat.strict(parser), RowFormat.rowLimit(parser))
    (in, file, part) => {
      val lines = new LineInput(moveTo(part, in), file, part, rowLimit)
      new LineRowReader(lines, new LineParser(hasGraphs, strict, rowLimit))
    }
  }

  /** Returns the bytes of a file from the beginning of a part on. */
  private def moveTo(part: FilePart, in: InputStream): InputStream =
    if (part.start == 0) in
    else {
      val file = new BufferedInputStream(in, MessageStream.HeadSize)
      file.mark(MessageStream.HeadSize)
      if (MessageStream.isIn(file)) InputStream.nullInputStream
      else {
        file.reset()
        file.skipNBytes(LineInput.startOf(part))
        file
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

  override def writer(options: Map[String, String]): WriterFactory = {
    val parser = new OptionParser(options)
    val version = versionOf(parser)
    val isCanonical = parser.boolean(CanonicalKey, default = false)
    if (isCanonical && version.nonEmpty) {
      throw new OptionException(
        s"canonical files have no VERSION: set only one of $CanonicalKey and $VersionKey"
      )
    }
    out => {
      val text = new TextOutput(out)
      val terms = if (isCanonical) new CanonicalTermWriter(text) else new StatementTermWriter(text)
      new RowWriter(new LineEncoder(text, terms, hasGraphs, version), allColumns)
    }
  }

  /** The version that the option names. No option and an empty one mean none. */
  private def versionOf(parser: OptionParser): Option[LineVersion] =
    if (parser.text(VersionKey, "").trim.isEmpty) None
    else Some(parser.oneOf(VersionKey, LineVersion.all, LineVersion.Rdf12))
}

private object LineFormat {
  private val VersionKey = "version"
  private val CanonicalKey = "canonical"
}

/** Writes one statement per line, with terms separated by single spaces.
  *
  * @param terms
  *   writes the terms to `out`
  * @param hasGraphs
  *   whether a statement may have a graph
  * @param version
  *   the version to announce at the beginning of a file
  */
private final class LineEncoder(
    out: TextOutput,
    terms: StatementTermWriter,
    hasGraphs: Boolean,
    version: Option[LineVersion]
) extends RowEncoder {
  import LineEncoder._

  private[this] val hasMessages = version.contains(LineVersion.Messages)
  private[this] var hasBegun = false
  // The ordinal of the current message.
  private[this] var message = 0L

  override def write(row: Row): Unit = {
    begin()
    check(row)
    if (hasMessages) beginMessage(row.frame)
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

  override def finish(): Unit = {
    begin()
    out.flush()
  }

  override def restart(): Unit = {
    hasBegun = false
    message = 0
  }

  private def begin(): Unit = if (!hasBegun) {
    hasBegun = true
    version.foreach(version => out.put(s"VERSION \"${version.name}\"\n"))
  }

  /** Ends messages, unless the current one has this ordinal. */
  private def beginMessage(frame: Long): Unit = {
    if (frame < 0) refuse("in a stream of messages, each row needs a frame from 0 on")
    if (frame < message) refuse("in a stream of messages, frame must not decrease")
    if (frame - message > MaxSkipped)
      refuse(s"in a stream of messages, frame must not increase by more than $MaxSkipped")
    while (message < frame) {
      out.put("MESSAGE\n")
      // A row can skip many messages.
      out.endRow()
      message += 1
    }
  }

  private def check(row: Row): Unit = {
    if (row.op == RowOp.PrefixAdd) refuse(NamespaceRule)
    if (row.op != RowOp.Add) refuse(StatementsRule)
    if (!RowRules.isStatement(row)) refuse("a statement needs a subject, a predicate and an object")
    if (!hasGraphs && !row.graphCell.isEmpty) refuse(GraphRule)
  }
}

private object LineEncoder {
  // The largest step from one frame to the next, because each number that is skipped takes a line.
  private final val MaxSkipped = 10000000L

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
      var isStatement = false
      while (!isStatement && input.find(mayRead = true) == LineInput.Found) {
        isStatement = parser.parse(input.bytes, input.pos, input.lineEnd, row, input.isMessages)
        input.skipLine()
      }
      if (isStatement) number()
      isStatement
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
    if (input.isMessages) row.frame = parser.messages
    rows += 1
  }
}
