package org.jellyspark.bridge

import java.io.{BufferedReader, BufferedWriter, StringWriter}

import com.fasterxml.jackson.core.{JsonFactory, JsonProcessingException}
import com.fasterxml.jackson.core.JsonToken._
import org.jellyspark.UnwritableRowException
import org.jellyspark.codec._

/** Rows as lines of JSON, the form in which they pass between Python and the JVM: an array of the
  * ten columns `op subject predicate object graph name value patch tx seq`, null where there is
  * nothing.
  */
private[bridge] object RowLines {
  val json = new JsonFactory()

  /** Reads rows, one a line, and writes them to a patch file; answers how many. */
  def encode(lines: BufferedReader, writer: PatchWriter): Long = {
    val row = new PatchRow
    var count = 0L
    var line = lines.readLine()
    while (line != null) {
      val columns =
        try {
          val columns = new LineColumns(line)
          row.set(columns.op, columns)
          columns
        } catch {
          case e @ (_: JsonProcessingException | _: NTriples.SyntaxException) =>
            throw new UnwritableRowException(e.getMessage, line, e)
        }
      writer.write(row, columns.patch, columns.tx)
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

/** The columns that a line holds. */
private final class LineColumns(line: String) extends RowColumns {
  private[this] val in = RowLines.json.createParser(line)
  expect(in.nextToken() == START_ARRAY)
  private[this] val texts = Array.fill(7)(nextText())

  /** The number of the patch, or [[RowNumbering.NoNumber]]. */
  val patch: Long = nextNumber()

  /** The number of the transaction, or [[RowNumbering.NoNumber]]. */
  val tx: Long = nextNumber()
  nextNumber()
  expect(in.nextToken() == END_ARRAY)

  def op: PatchOp = {
    val op = PatchOp.ofCode(texts(0))
    if (op == null) throw new NTriples.SyntaxException(PatchOp.Rule)
    op
  }

  override def subject: Term = term(1)

  override def predicate: Term = term(2)

  override def obj: Term = term(3)

  override def graph: Term = term(4)

  override def name: String = texts(5)

  override def value: Term = term(6)

  private def term(column: Int): Term =
    if (texts(column) == null) null else NTriples.parse(texts(column))

  private def nextText(): String = in.nextToken() match {
    case VALUE_STRING => in.getText
    case token        =>
      expect(token == VALUE_NULL)
      null
  }

  private def nextNumber(): Long = in.nextToken() match {
    case VALUE_NUMBER_INT => in.getLongValue
    case token            =>
      expect(token == VALUE_NULL)
      RowNumbering.NoNumber
  }

  private def expect(condition: Boolean): Unit =
    if (!condition) throw new NTriples.SyntaxException("expected an array of the ten columns")
}
