package org.jellyspark.source

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String
import org.jellyspark.UnwritableRowException
import org.jellyspark.core._

/** Makes rows of a format out of rows of Spark's. */
private[source] final class SparkRowBuilder(schema: StructType, columns: Seq[Column])
    extends RowBuilder(columns) {
  // By the column's index; -1 where the schema has no such column.
  private[this] val ordinals = Array.fill(Column.all.length)(-1)
  private[this] val terms = new Array[TermReader](Column.all.length)
  columns.foreach { column =>
    val ordinal = RowSchema.ordinal(schema, column)
    ordinals(column.index) = ordinal
    if (column.isInstanceOf[Column.TermColumn]) {
      terms(column.index) = new TermReader(ordinal, column.name)
    }
  }

  private[this] val ops: mutable.Map[UTF8String, RowOp] =
    mutable.HashMap.from(RowOp.values.map(op => UTF8String.fromString(op.code) -> op))
  private[this] var row: InternalRow = _

  /** The row that a row of Spark's holds; valid until the next.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if it holds none
    */
  def read(row: InternalRow): Row = {
    this.row = row
    build()
  }

  override protected def op: RowOp = {
    val column = ordinals(Column.Op.index)
    val op = if (isNull(column)) None else ops.get(row.getUTF8String(column))
    op.getOrElse(fail(RowOp.Rule))
  }

  override protected def term(column: Column.TermColumn): Term = terms(column.index).read()

  override protected def text(column: Column.TextColumn): String = {
    val ordinal = ordinals(column.index)
    if (isNull(ordinal)) null else orFail(column.name)(TermForm.text(row, ordinal))
  }

  override protected def number(column: Column.NumberColumn): Long = {
    val ordinal = ordinals(column.index)
    if (isNull(ordinal)) Row.NoNumber else row.getLong(ordinal)
  }

  private def isNull(ordinal: Int): Boolean = ordinal < 0 || row.isNullAt(ordinal)

  private def orFail[A](column: String)(read: => A): A =
    try read
    catch { case e: NTriples.SyntaxException => fail(s"$column: ${e.getMessage}") }

  private def fail(rule: String): Nothing = {
    val content = schema.fields.toSeq.zipWithIndex.map { case (field, i) =>
      field.name -> (row.get(i, field.dataType) match {
        case struct: InternalRow =>
          (0 until struct.numFields).map(struct.get(_, StringType)).mkString("{", ", ", "}")
        case value => value
      })
    }
    throw new UnwritableRowException(rule, RowText(content))
  }

  /** A column of terms, which remembers the last: rows often repeat them. */
  private final class TermReader(column: Int, name: String) {
    private[this] val form =
      if (column < 0) TermForm.Text else TermForm.of(schema(column).dataType)
    private[this] var lastText: UTF8String = _
    private[this] var last: Term = _

    def read(): Term =
      if (isNull(column)) null
      else if (form == TermForm.Text) readText()
      else parse()

    private def readText(): Term = {
      val text = row.getUTF8String(column)
      if (text != lastText) {
        last = parse()
        lastText = text.clone()
      }
      last
    }

    private def parse(): Term = orFail(name)(form.toTerm(row, column))
  }
}
