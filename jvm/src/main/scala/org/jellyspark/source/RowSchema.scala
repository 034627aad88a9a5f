package org.jellyspark.source

import java.util.Locale

import org.apache.spark.sql.types._

import org.jellyspark.JellySparkException
import org.jellyspark.core.formats.RowFormat
import org.jellyspark.core.rows.Column

/** The schemas that rows of a format can have.
  *
  * @param columns
  *   the format's columns, given the options of the read or write
  * @param corruptColumn
  *   the name of the column for the text of malformed rows; null if there is none
  * @throws org.jellyspark.JellySparkException
  *   if `corruptColumn` is the name of one of `columns`
  */
private[jellyspark] final class RowSchema(
    format: RowFormat,
    columns: Seq[Column],
    corruptColumn: String
) {
  import RowSchema._

  private[this] val corruptField = Option(corruptColumn).map(StructField(_, StringType))
  corruptField.filter(field => find(field.name, columns).isDefined).foreach { field =>
    throw new JellySparkException(
      s"'${field.name}' is a column of ${format.title} and cannot hold the text of malformed " +
        s"rows: set ${SourceOptions.CorruptColumnKey} to another name"
    )
  }

  /** The schema of a read with these options. */
  def of(options: SourceOptions): StructType = StructType(
    columns.map { column =>
      StructField(column.name, typesOf(column, List(options.terms)).head)
    } ++ corruptField.filter(_ => options.mode == ReadMode.Permissive)
  )

  /** Checks that a schema has only known columns, none of them twice, each with an allowed type. A
    * column of terms may be a string or a struct.
    *
    * @throws org.jellyspark.JellySparkException
    *   if the schema is not valid; the message names the column
    */
  def check(schema: StructType): Unit = check(schema, columns)

  /** Like [[check]], for rows to be written, which may also have columns that the writer ignores.
    */
  def checkWritten(schema: StructType): Unit = check(schema, columns ++ format.ignoredColumns)

  private def check(schema: StructType, columns: Seq[Column]): Unit = {
    schema.groupBy(field => canonical(field.name)).values.filter(_.length > 1).foreach { same =>
      val names = same.map(field => s"'${field.name}'").mkString(" and ")
      throw new JellySparkException(
        s"$names are the same column of ${format.title}: remove all but one"
      )
    }
    schema.foreach(checkField(_, columns))
  }

  /** Checks that a schema has the columns that are required for writing: `op` or, in a format
    * without `op`, the subject, predicate and object.
    *
    * @throws org.jellyspark.JellySparkException
    *   if a column is missing; the message names it
    */
  def checkComplete(schema: StructType): Unit = {
    import Column.{Object, Op, Predicate, Subject}
    val required = if (columns.contains(Op)) List(Op) else List(Subject, Predicate, Object)
    required.find(ordinal(schema, _) < 0).foreach { column =>
      throw new JellySparkException(s"${format.title} needs the column '$column'")
    }
  }

  private def checkField(field: StructField, columns: Seq[Column]): Unit = {
    val types = find(field.name, columns) match {
      case Some(column)                              => typesOf(column, TermColumnType.values)
      case None if isSame(field.name, corruptColumn) => List(StringType)
      case None                                      =>
        throw new JellySparkException(
          s"${format.title} has no column '${field.name}'; its columns are " +
            (columns.map(_.name) ++ corruptField.map(_.name)).mkString(", ")
        )
    }
    if (!types.exists(DataType.equalsIgnoreNullability(_, field.dataType))) {
      throw new JellySparkException(
        s"column '${field.name}': expected type ${types.map(_.simpleString).mkString(" or ")}, " +
          s"found ${field.dataType.simpleString}"
      )
    }
  }

  private def find(name: String, columns: Seq[Column]): Option[Column] =
    columns.find(_.name == canonical(name))
}

private[jellyspark] object RowSchema {

  /** Returned instead of a position if a schema does not have the column. */
  val NoColumn: Int = -1

  /** The position of a column in a schema, or [[NoColumn]]. */
  def ordinal(schema: StructType, column: Column): Int =
    schema.indexWhere(field => canonical(field.name) == column.name)

  /** A column name in lower case. Column names are case-insensitive, as Spark's are by default. */
  def canonical(name: String): String = name.toLowerCase(Locale.ROOT)

  /** Whether two names refer to the same column. `other` may be null, which matches no column. */
  def isSame(name: String, other: String): Boolean =
    other != null && canonical(name) == canonical(other)

  /** Whether a column of a format can have the type. */
  def canHold(dataType: DataType): Boolean =
    (LongType :: TermColumnType.values.map(_.dataType))
      .exists(DataType.equalsIgnoreNullability(_, dataType))

  private def typesOf(column: Column, termTypes: List[TermColumnType]): List[DataType] =
    column match {
      case _: Column.TermColumn   => termTypes.map(_.dataType)
      case _: Column.NumberColumn => List(LongType)
      case _                      => List(StringType)
    }
}
