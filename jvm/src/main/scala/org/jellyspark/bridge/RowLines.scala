package org.jellyspark.bridge

import java.io.{BufferedReader, BufferedWriter, StringWriter}

import com.fasterxml.jackson.core.{JsonFactory, JsonProcessingException, StreamReadConstraints}
import com.fasterxml.jackson.core.JsonToken._
import org.jellyspark.UnwritableRowException
import org.jellyspark.codec._

/** Rows as lines of JSON, the form in which they pass between Python and the JVM: an array of the
  * ten columns `op subject predicate object graph name value patch tx seq`, null where there is
  * nothing.
  */
private[bridge] object RowLines {
  // Literals may be longer than what Jackson takes by default.
  private val limits = StreamReadConstraints.builder().maxStringLength(Int.MaxValue).build()

  val json: JsonFactory = new JsonFactory().setStreamReadConstraints(limits)

  /** Reads rows, one a line, and writes them to a patch file; answers how many. */
  def encode(lines: BufferedReader, writer: PatchWriter): Long = {
    val row = new PatchRow
    var count = 0L
    var line = lines.readLine()
    while (line != null) {
      val columns = LineColumns.parse(line)
      if (columns.op == null) throw new UnwritableRowException(PatchOp.Rule, columns.toString)
      try row.set(columns.op, columns)
      catch {
        case e: NTriples.SyntaxException =>
          throw new UnwritableRowException(e.getMessage, columns.toString)
      }
      writer.write(row, columns.patch, columns.seq)
      count += 1
      line = lines.readLine()
    }
    writer.finish()
    count
  }

  /** Writes the rows of a patch file, one a line; answers how many. */
  def decode(reader: PatchReader, lines: BufferedWriter): Long = {
    var count = 0L
    while (reader.next()) {
      val line = new StringWriter
      val out = json.createGenerator(line)
      val row = reader.row
      out.writeStartArray()
      out.writeString(row.op.code)
      Seq(row.subject, row.predicate, row.obj, row.graph).foreach(t => out.writeString(text(t)))
      out.writeString(row.name)
      out.writeString(text(row.value))
      out.writeNumber(reader.numbering.patch)
      if (reader.numbering.transaction == RowNumbering.NoNumber) out.writeNull()
      else out.writeNumber(reader.numbering.transaction)
      out.writeNumber(reader.numbering.seq)
      out.writeEndArray()
      out.close()
      lines.write(line.toString)
      lines.write('\n')
      count += 1
    }
    lines.flush()
    count
  }

  private def text(term: Term): String =
    if (term == null || term == DefaultGraph) null else NTriples.format(term)
}

/** The columns that a line holds: seven texts, then three numbers. */
private final class LineColumns(texts: Array[String], numbers: Array[Long]) extends RowColumns {

  /** Null if there is none of this code. */
  def op: PatchOp = PatchOp.ofCode(texts(0))

  override def subject: Term = term(1)

  override def predicate: Term = term(2)

  override def obj: Term = term(3)

  override def graph: Term = term(4)

  override def name: String = texts(5)

  override def value: Term = term(6)

  /** The number of the patch, or [[RowNumbering.NoNumber]]. */
  def patch: Long = numbers(0)

  /** The number of the row, or [[RowNumbering.NoNumber]]. */
  def seq: Long = numbers(2)

  /** The row's content in messages. */
  override def toString: String = RowText(LineColumns.Names.zip(texts))

  private def term(column: Int): Term =
    if (texts(column) == null) null else NTriples.parse(texts(column))
}

private object LineColumns {
  private val Names = Seq("op", "subject", "predicate", "object", "graph", "name", "value")

  /** @throws org.jellyspark.UnwritableRowException
    *   if the line is no array of the ten columns
    */
  def parse(line: String): LineColumns = {
    def refuse(): Nothing =
      throw new UnwritableRowException(
        "a row has seven texts and three numbers",
        RowText(Seq("row" -> line))
      )
    try {
      val in = RowLines.json.createParser(line)
      def text(): String = in.nextToken() match {
        case VALUE_STRING => in.getText
        case VALUE_NULL   => null
        case _            => refuse()
      }
      def number(): Long = in.nextToken() match {
        case VALUE_NUMBER_INT => in.getLongValue
        case VALUE_NULL       => RowNumbering.NoNumber
        case _                => refuse()
      }
      if (in.nextToken() != START_ARRAY) refuse()
      val columns = new LineColumns(Array.fill(Names.length)(text()), Array.fill(3)(number()))
      if (in.nextToken() != END_ARRAY) refuse()
      columns
    } catch { case _: JsonProcessingException => refuse() }
  }
}
