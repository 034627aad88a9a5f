package org.jellyspark.source

import org.apache.spark.sql.types.{StructField, StructType}
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.rows.{Column, Row}

/** Copies rows of a format into the values of Spark's rows.
  *
  * @param columns
  *   the columns to copy; after [[RowSchema.check]] has passed, all of them are columns of the
  *   format
  * @param corruptColumn
  *   the name of the column for the text of malformed rows; null if there is none
  */
private[jellyspark] final class RowFields(columns: StructType, corruptColumn: String) {
  import RowFields._

  private[this] val fields = columns.map(field(_, corruptColumn)).toArray

  /** Copies the columns of a row.
    *
    * @param malformedText
    *   the text of the row if it is malformed, otherwise null
    * @param values
    *   receives the values, in the order of the columns
    */
  def copy(row: Row, malformedText: String, values: Array[Any]): Unit = {
    var i = 0
    while (i < fields.length) {
      values(i) = fields(i)(row, malformedText)
      i += 1
    }
  }
}

private object RowFields {
  // Computes a column's value from the row, and from its text if the row is malformed.
  private type Field = (Row, String) => Any

  private def field(field: StructField, corruptColumn: String): Field = {
    val name = RowSchema.canonical(field.name)
    // `get` cannot fail, because the schema was checked when the query was planned.
    if (RowSchema.isSame(field.name, corruptColumn)) (_, text) => UTF8String.fromString(text)
    else
      Column.all.find(_.name == name).get match {
        case Column.Op => (row, _) => if (row.op == null) null else OpVector.codes(row.op.ordinal)
        case column: Column.TermColumn =>
          val termType = TermColumnType.of(field.dataType)
          (row, _) => {
            val term = column.get(row)
            if (term == null) null else termType.toColumn(term)
          }
        case column: Column.TextColumn   => (row, _) => UTF8String.fromString(column.get(row))
        case column: Column.NumberColumn =>
          (row, _) => {
            val number = column.get(row)
            if (number == Row.NoNumber) null else number
          }
      }
  }
}
