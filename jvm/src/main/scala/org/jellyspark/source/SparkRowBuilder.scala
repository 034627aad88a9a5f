package org.jellyspark.source

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{StringType, StructType}
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.rows.{Column, Row, RowBuilder, RowOp, RowText}
import org.jellyspark.core.terms.{NTriples, TermCell}

/** Makes rows of a format out of rows of Spark's. */
private[source] final class SparkRowBuilder(schema: StructType, columns: Seq[Column])
    extends RowBuilder(columns) {
  import SparkRowBuilder.ArrayOffset

  // By the column's index; -1 where the schema has no such column.
  private[this] val ordinals = Array.fill(Column.all.length)(-1)
  // Of columns of terms, by the column's index.
  private[this] val forms = new Array[TermForm](Column.all.length)
  columns.foreach { column =>
    val ordinal = RowSchema.ordinal(schema, column)
    ordinals(column.index) = ordinal
    if (ordinal >= 0 && column.isInstanceOf[Column.TermColumn]) {
      forms(column.index) = TermForm.of(schema(ordinal).dataType)
    }
  }

  private[this] val ops: mutable.Map[UTF8String, RowOp] =
    mutable.HashMap.from(RowOp.values.map(op => UTF8String.fromString(op.code) -> op))
  // Rows often repeat it.
  private[this] var lastOp: RowOp = _
  private[this] var lastCode: UTF8String = _
  private[this] var row: InternalRow = _

  /** The row that a row of Spark's holds; valid until the next.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if it holds none
    */
  def read(row: InternalRow): Row = {
    // To store a reference is work for the garbage collector, even if it is the same.
    if (this.row ne row) this.row = row
    build()
  }

  override protected def op: RowOp = {
    val column = ordinals(Column.Op.index)
    if (isNull(column)) fail(RowOp.Rule)
    val code = row.getUTF8String(column)
    if (code != lastCode) {
      lastOp = ops.getOrElse(code, fail(RowOp.Rule))
      lastCode = code.clone()
    }
    lastOp
  }

  override protected def putTerm(column: Column.TermColumn, cell: TermCell): Unit = {
    val ordinal = ordinals(column.index)
    if (!isNull(ordinal)) {
      val form = forms(column.index)
      if (form == TermForm.Text) putText(row.getUTF8String(ordinal), cell)
      else cell.put(orFail(column.name)(form.toTerm(row, ordinal)))
    }
  }

  private def putText(text: UTF8String, cell: TermCell): Unit = text.getBaseObject match {
    case bytes: Array[Byte] =>
      cell.putText(bytes, (text.getBaseOffset - ArrayOffset).toInt, text.numBytes)
    case _ =>
      val bytes = text.getBytes
      cell.putText(bytes, 0, bytes.length)
  }

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
}

private object SparkRowBuilder {
  // Where Spark's offsets into arrays of bytes begin.
  private val ArrayOffset = UTF8String.fromBytes(new Array[Byte](1)).getBaseOffset
}
