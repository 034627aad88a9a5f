package org.jellyspark.bridge

import java.io.{BufferedOutputStream, OutputStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}
import java.util.{Map => JavaMap}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.core.{JsonFactory, JsonProcessingException, StreamReadConstraints}
import com.fasterxml.jackson.core.JsonToken._

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.rows.{Column, Row, RowBuilder, RowOp, RowText}
import org.jellyspark.core.terms.TermCell

/** Writes files with the codecs of the JVM, for the tests in Python: `tests/bridge.py`. */
object WritingBridge {

  /** Encodes a file of rows, in which [[FormatBridge.decode]] writes rows. */
  def encode(
      format: String,
      rows: String,
      file: String,
      options: JavaMap[String, String]
  ): Unit = {
    val target = FormatBridge.find(format, options)
    val builder = new JsonRowBuilder(target.allColumns)
    val lines = Files.newBufferedReader(Paths.get(rows), UTF_8)
    try
      writing(file) { out =>
        val writer = target.writer(options.asScala.toMap).open(out)
        lines.lines().forEach(line => writer.write(builder.read(line)))
        writer.finish()
      }
    finally lines.close()
  }

  /** Copies the rows of a file to another format, or to the same format with other options. */
  def rewrite(
      fromFormat: String,
      from: String,
      toFormat: String,
      to: String,
      readOptions: JavaMap[String, String],
      writeOptions: JavaMap[String, String]
  ): Unit = {
    val source = FormatBridge.find(fromFormat, readOptions)
    val target = FormatBridge.find(toFormat, writeOptions)
    FormatBridge.read(source, from, from, readOptions) { reader =>
      writing(to) { out =>
        val writer = target.writer(writeOptions.asScala.toMap).open(out)
        while (reader.next()) writer.write(reader.row)
        writer.finish()
      }
    }
  }

  private def writing(file: String)(write: OutputStream => Unit): Unit = {
    val out = new BufferedOutputStream(Files.newOutputStream(Paths.get(file)))
    try write(out)
    finally out.close()
  }
}

/** Converts lines of JSON to rows. */
private[bridge] final class JsonRowBuilder(columns: Seq[Column]) extends RowBuilder(columns) {
  // Literals may be longer than Jackson allows by default.
  private[this] val json = new JsonFactory().setStreamReadConstraints(
    StreamReadConstraints.builder().maxStringLength(Int.MaxValue).build()
  )
  // The values of the current line, indexed by `Column.index`.
  private[this] val texts = new Array[String](Column.all.length)
  private[this] val numbers = Array.fill(Column.all.length)(Row.NoNumber)

  /** Parses a line. The result is the same object each time, valid until the next call. */
  def read(line: String): Row = {
    parse(line)
    build()
  }

  override protected def op: RowOp = {
    val op = RowOp.ofCode(texts(Column.Op.index))
    if (op == null) {
      val shown = columns.filterNot(_.isInstanceOf[Column.NumberColumn])
      throw new UnwritableRowException(
        RowOp.Rule,
        RowText(shown.map(column => column.name -> texts(column.index)))
      )
    }
    op
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

  private def parse(line: String): Unit = {
    def refuse(): Nothing = throw new UnwritableRowException(
      s"a row must be a JSON array of its columns: ${columns.mkString(", ")}",
      RowText(Seq("row" -> line))
    )
    try {
      val in = json.createParser(line)
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
