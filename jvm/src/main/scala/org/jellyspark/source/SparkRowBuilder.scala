package org.jellyspark.source

import scala.collection.mutable

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.rows.{Column, Row, RowBuilder, RowOp, RowText}
import org.jellyspark.core.terms.{NTriples, TermCell}

/** Converts Spark's rows to rows of a format. */
private[jellyspark] final class SparkRowBuilder(schema: StructType, columns: Seq[Column])
    extends RowBuilder(columns.filter(RowSchema.ordinal(schema, _) != RowSchema.NoColumn)) {
  // The position in the schema, or `NoColumn`, indexed by `Column.index`.
  private[this] val ordinals = Array.fill(Column.all.length)(RowSchema.NoColumn)
  // Whether the column is one of structs, indexed by `Column.index`.
  private[this] val isStruct = new Array[Boolean](Column.all.length)
  columns.foreach { column =>
    val ordinal = RowSchema.ordinal(schema, column)
    ordinals(column.index) = ordinal
    isStruct(column.index) =
      ordinal != RowSchema.NoColumn && schema(ordinal).dataType.isInstanceOf[StructType]
  }

  private[this] val ops: mutable.Map[UTF8String, RowOp] =
    mutable.HashMap.from(RowOp.values.map(op => UTF8String.fromString(op.code) -> op))
  // A cache of one, because rows often repeat the code of the previous row.
  private[this] var lastOp: RowOp = _
  private[this] var lastCode: UTF8String = _
  private[this] var row: InternalRow = _

  /** Converts one of Spark's rows to a row of the format.
    *
    * @return
    *   the same object each time, valid until the next call
    * @throws org.jellyspark.UnwritableRowException
    *   if its `op` is not a row code, or a struct does not hold a term
    */
  def read(row: InternalRow): Row = {
    // Spark usually passes the same object, so this check saves the GC write barrier of the store.
    if (this.row ne row) this.row = row
    build()
  }

  override protected def op: RowOp = {
    val column = ordinals(Column.Op.index)
    if (row.isNullAt(column)) fail(RowOp.Rule)
    val code = row.getUTF8String(column)
    if (code != lastCode) {
      lastOp = ops.getOrElse(code, fail(RowOp.Rule))
      lastCode = code.clone()
    }
    lastOp
  }

  override protected def putTerm(column: Column.TermColumn, cell: TermCell): Unit = {
    val ordinal = ordinals(column.index)
    if (!row.isNullAt(ordinal)) {
      if (isStruct(column.index)) {
        val struct = row.getStruct(ordinal, TermStruct.fields.length)
        cell.put(orFail(column.name)(TermStruct.toTerm(struct)))
      } else putText(row.getUTF8String(ordinal), cell)
    }
  }

  private def putText(text: UTF8String, cell: TermCell): Unit = text.getBaseObject match {
    case bytes: Array[Byte] =>
      cell.putText(bytes, (text.getBaseOffset - Platform.BYTE_ARRAY_OFFSET).toInt, text.numBytes)
    case _ =>
      val bytes = text.getBytes
      cell.putText(bytes, 0, bytes.length)
  }

  override protected def text(column: Column.TextColumn): String = {
    val ordinal = ordinals(column.index)
    if (row.isNullAt(ordinal)) null
    else orFail(column.name)(TermStruct.text(row.getUTF8String(ordinal)))
  }

  override protected def number(column: Column.NumberColumn): Long = {
    val ordinal = ordinals(column.index)
    if (row.isNullAt(ordinal)) Row.NoNumber else row.getLong(ordinal)
  }

  private def orFail[A](column: String)(read: => A): A =
    try read
    catch { case e: NTriples.SyntaxException => fail(s"$column: ${e.getMessage}") }

  private def fail(rule: String): Nothing = {
    val content = schema.fields.toSeq.zipWithIndex.map { case (field, i) =>
      field.name -> (row.get(i, field.dataType) match {
        case struct: InternalRow => TermStruct.show(struct)
        case value               => value
      })
    }
    throw new UnwritableRowException(rule, RowText(content))
  }
}
