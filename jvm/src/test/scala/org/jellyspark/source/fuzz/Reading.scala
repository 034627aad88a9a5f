package org.jellyspark.source.fuzz

import java.nio.charset.StandardCharsets.UTF_8
import java.security.MessageDigest

import scala.collection.mutable

import org.jellyspark.MalformedInputException
import org.jellyspark.core.rows.{Column, ColumnBatch, Row, RowOp}
import org.jellyspark.core.terms.{NTriples, Term}

/** What one way of reading a file gave.
  *
  * @param rows
  *   the text of each column of each row, null where it has no value
  * @param end
  *   `ok`, the error with its place, or how the reader crashed
  */
private[fuzz] final case class Reading(rows: Seq[Seq[String]], end: String) {

  /** The number of the rows, a digest of them, and the end: a line that Python has, too. */
  lazy val line: String = {
    val md5 = MessageDigest.getInstance("MD5")
    rows.foreach { row =>
      val text = row.map(value => if (value == null) "\u0000" else value).mkString("\u001f")
      md5.update((text + "\u001e").getBytes(UTF_8))
    }
    val digest = md5.digest().map(byte => f"$byte%02x").mkString
    s"${rows.length} $digest $end"
  }

  /** The same, but of an error only the byte and the words: parts do not know the line's number. */
  def withoutPlace: Reading = Reading(rows, end.replaceFirst("^(byte \\d+): [^:]*: ", "$1: "))
}

private[fuzz] object Reading {
  val Ok = "ok"

  /** Reads with a function that adds each row to a buffer. */
  def apply(read: mutable.Buffer[Seq[String]] => Unit): Reading = {
    val rows = mutable.ArrayBuffer.empty[Seq[String]]
    val end =
      try {
        read(rows)
        Ok
      } catch {
        case e: MalformedInputException =>
          s"byte ${e.offset}: ${e.place}: expected ${e.expected}, found ${e.found}"
        // Errors, too: a stack overflow is what is looked for.
        case e: Throwable =>
          s"crash: $e ${e.getStackTrace.take(6).mkString(" < ")}"
      }
    Reading(rows.toSeq, end)
  }

  def of(columns: Seq[Column], row: Row): Seq[String] = columns.map {
    case Column.Op                   => row.op.code
    case column: Column.TermColumn   => textOf(column.get(row))
    case column: Column.TextColumn   => column.get(row)
    case column: Column.NumberColumn => textOf(column.get(row))
  }

  def of(columns: Seq[Column], batch: ColumnBatch, i: Int): Seq[String] = columns.map {
    case Column.Op                   => RowOp.values(batch.ops(i).toInt).code
    case column: Column.NumberColumn =>
      val numbers = batch.numbers(column.index)
      if (numbers == null) null else textOf(numbers(i))
    case column =>
      val values = batch.values(column.index)
      if (values == null) null else textOf(values(i))
  }

  private def textOf(number: Long): String = if (number == Row.NoNumber) null else number.toString

  private def textOf(value: AnyRef): String = value match {
    case null       => null
    case term: Term => NTriples.format(term)
    case text       => text.toString
  }
}
