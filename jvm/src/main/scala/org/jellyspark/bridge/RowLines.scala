package org.jellyspark.bridge

import java.io.{BufferedReader, BufferedWriter, StringWriter}

import com.fasterxml.jackson.core.{JsonFactory, JsonParser, JsonProcessingException, JsonToken}
import com.fasterxml.jackson.core.JsonToken._
import org.jellyspark.UnwritableRowException
import org.jellyspark.codec._

/** Rows as lines of JSON, the form in which they pass between Python and the JVM: an array of the
  * ten columns `op subject predicate object graph name value patch tx seq`, null where there is
  * nothing.
  */
private[bridge] object RowLines {
  private val json = new JsonFactory()

  /** Reads rows, one a line, and writes them to a patch file; answers how many. */
  def encode(lines: BufferedReader, writer: PatchWriter): Long = {
    val row = new PatchRow
    var count = 0L
    var line = lines.readLine()
    while (line != null) {
      try {
        val numbers = read(line, row)
        writer.write(row, numbers.patch, numbers.tx)
      } catch {
        case e @ (_: JsonProcessingException | _: NTriples.SyntaxException) =>
          throw new UnwritableRowException(e.getMessage, line, e)
      }
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
      if (reader.numbering.transaction < 0) out.writeNull()
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

  private final case class Numbers(patch: Long, tx: Long)

  private def read(line: String, row: PatchRow): Numbers = {
    val in = json.createParser(line)
    expect(in.nextToken() == START_ARRAY)
    row.clear()
    val op = nextText(in)
    row.op = PatchOp.ofCode(op)
    expect(row.op != null, s"an op of ${PatchOp.values.map(_.code).mkString(", ")}")
    row.subject = nextTerm(in)
    row.predicate = nextTerm(in)
    row.obj = nextTerm(in)
    val graph = nextTerm(in)
    row.graph = if (graph == null) DefaultGraph else graph
    row.name = nextText(in)
    row.value = nextTerm(in)
    val numbers = Numbers(nextNumber(in), nextNumber(in))
    nextNumber(in)
    expect(in.nextToken() == END_ARRAY)
    numbers
  }

  private def nextTerm(in: JsonParser): Term = {
    val text = nextText(in)
    if (text == null) null else NTriples.parse(text)
  }

  private def nextText(in: JsonParser): String = in.nextToken() match {
    case VALUE_STRING => in.getText
    case token        => nullOr(token)
  }

  private def nextNumber(in: JsonParser): Long = in.nextToken() match {
    case VALUE_NUMBER_INT => in.getLongValue
    case token            =>
      nullOr(token)
      PatchWriter.NoNumber
  }

  private def nullOr(token: JsonToken): String = {
    expect(token == VALUE_NULL)
    null
  }

  private def expect(condition: Boolean, what: String = "an array of the ten columns"): Unit =
    if (!condition) throw new NTriples.SyntaxException(s"expected $what")

  private def text(term: Term): String =
    if (term == null || term == DefaultGraph) null else NTriples.format(term)
}
