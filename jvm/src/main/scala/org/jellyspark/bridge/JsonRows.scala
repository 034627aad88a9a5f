package org.jellyspark.bridge

import java.io.{BufferedReader, BufferedWriter}
import java.nio.charset.StandardCharsets.UTF_8

import com.fasterxml.jackson.core.{
  JsonFactory,
  JsonGenerator,
  JsonProcessingException,
  StreamReadConstraints
}
import com.fasterxml.jackson.core.JsonToken._

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.formats.{RowFormat, RowReader, RowWriter}
import org.jellyspark.core.rows.{Column, Row, RowBuilder, RowOp, RowText}
import org.jellyspark.core.terms.{NTriples, TermCell}

/** Rows as lines of JSON, which is how they are passed between Python and the JVM.
  *
  * Each line is an array with the values of all columns of the format, in order. Terms are strings
  * in N-Triples syntax; missing values are null.
  */
private[bridge] final class JsonRows(format: RowFormat) {
  import JsonRows.json

  private[this] val columns = format.allColumns

  /** Writes the rows in a file of lines.
    *
    * @return
    *   the number of rows written
    */
  def encode(lines: BufferedReader, writer: RowWriter): Long = {
    val builder = new JsonRowBuilder(columns)
    var count = 0L
    var line = lines.readLine()
    while (line != null) {
      writer.write(builder.read(line))
      count += 1
      line = lines.readLine()
    }
    writer.finish()
    count
  }

  /** Writes all rows of a reader as lines.
    *
    * @return
    *   the number of rows read
    */
  def decode(reader: RowReader, lines: BufferedWriter): Long = {
    var count = 0L
    while (reader.next()) {
      val out = json.createGenerator(lines)
      out.writeStartArray()
      columns.foreach(write(_, reader.row, out))
      out.writeEndArray()
      out.close()
      lines.write('\n')
      count += 1
    }
    lines.flush()
    count
  }

  private def write(column: Column, row: Row, out: JsonGenerator): Unit = column match {
    case Column.Op                 => out.writeString(row.op.code)
    case column: Column.TermColumn =>
      out.writeString(Option(column.get(row)).map(NTriples.format).orNull)
    case column: Column.TextColumn   => out.writeString(column.get(row))
    case column: Column.NumberColumn =>
      val number = column.get(row)
      if (number == Row.NoNumber) out.writeNull() else out.writeNumber(number)
  }
}

private[bridge] object JsonRows {
  // Literals may be longer than Jackson allows by default.
  private val limits = StreamReadConstraints.builder().maxStringLength(Int.MaxValue).build()

  // A generator writes a single line of a file, so it must not flush or close the file.
  val json: JsonFactory = new JsonFactory()
    .setStreamReadConstraints(limits)
    .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
    .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM)
}

/** Converts lines of JSON to rows. */
private final class JsonRowBuilder(columns: Seq[Column]) extends RowBuilder(columns) {
  // The values of the current line, indexed by `Column.index`.
  private[this] val texts = new Array[String](Column.all.length)
  private[this] val numbers = Array.fill(Column.all.length)(Row.NoNumber)

  /** Parses a line.
    *
    * @return
    *   the same object each time, valid until the next call
    * @throws org.jellyspark.UnwritableRowException
    *   if the line is not an array with a valid value for each column
    */
  def read(line: String): Row = {
    parse(line)
    build()
  }

  override protected def op: RowOp = {
    val op = RowOp.ofCode(texts(Column.Op.index))
    if (op == null) refuse(RowOp.Rule) else op
  }

  override protected def putTerm(column: Column.TermColumn, cell: TermCell): Unit = {
    val text = texts(column.index)
    if (text != null) {
      val utf8 = text.getBytes(UTF_8)
      cell.putText(utf8, 0, utf8.length)
    }
  }

  override protected def text(column: Column.TextColumn): String = texts(column.index)

  override protected def number(column: Column.NumberColumn): Long = numbers(column.index)

  private def refuse(rule: String): Nothing =
    throw new UnwritableRowException(
      rule,
      RowText(columns.collect {
        case column if !column.isInstanceOf[Column.NumberColumn] =>
          column.name -> texts(column.index)
      })
    )

  private def parse(line: String): Unit = {
    def refuse(): Nothing = throw new UnwritableRowException(
      s"a row must be a JSON array of its columns: ${columns.mkString(", ")}",
      RowText(Seq("row" -> line))
    )
    try {
      val in = JsonRows.json.createParser(line)
      if (in.nextToken() != START_ARRAY) refuse()
      columns.foreach {
        case column: Column.NumberColumn =>
          numbers(column.index) = in.nextToken() match {
            case VALUE_NUMBER_INT => in.getLongValue
            case VALUE_NULL       => Row.NoNumber
            case _                => refuse()
          }
        case column =>
          texts(column.index) = in.nextToken() match {
            case VALUE_STRING => in.getText
            case VALUE_NULL   => null
            case _            => refuse()
          }
      }
      if (in.nextToken() != END_ARRAY) refuse()
    } catch { case _: JsonProcessingException => refuse() }
  }
}
