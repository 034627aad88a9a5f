package org.jellyspark.source

import org.apache.spark.sql.sources._
import org.apache.spark.sql.types.{LongType, StringType, StructType}

import org.jellyspark.core.rows.{AllowedNumbers, AllowedValues, Column, RowFilter}

/** Translates the conditions of a query that a reader can evaluate. The others are left out,
  * because Spark evaluates all conditions again on the rows it gets.
  */
private[source] object PushedFilters {
  private val Decided: Set[Column] =
    Set(Column.Op, Column.Subject, Column.Predicate, Column.Object, Column.Graph)
  private val Nothing = AllowedValues(nulls = false, Some(Set.empty))

  /** Returns the filter for conditions that must all hold.
    *
    * @param columns
    *   the schema of the rows; filters on strings are not pushed down to columns of structs
    */
  def toRowFilter(filters: Seq[Filter], columns: StructType): RowFilter = RowFilter(
    filters
      .flatMap(conditions)
      .flatMap { case (name, allowed) => columnOf(name, allowed, columns).map(_ -> allowed) }
      .groupMapReduce(_._1)(_._2)(_ and _),
    filters
      .flatMap(ranges)
      .flatMap { case (name, allowed) => numbersOf(name, columns).map(_ -> allowed) }
      .groupMapReduce(_._1)(_._2)(_ and _)
  )

  /** The values that a condition allows, by column name. */
  private def conditions(filter: Filter): Seq[(String, AllowedValues)] = filter match {
    case And(left, right)           => conditions(left) ++ conditions(right)
    case IsNull(name)               => Seq(name -> Nothing.copy(nulls = true))
    case IsNotNull(name)            => Seq(name -> AllowedValues(nulls = false, None))
    case EqualNullSafe(name, null)  => conditions(IsNull(name))
    case EqualNullSafe(name, value) => conditions(EqualTo(name, value))
    case EqualTo(name, value)       => conditions(In(name, Array(value)))
    case In(name, values)           =>
      // In SQL, nothing equals null.
      val texts = values.filter(_ != null)
      Option
        .when(texts.forall(_.isInstanceOf[String])) {
          name -> Nothing.copy(texts = Some(texts.map(_.toString).toSet))
        }
        .toSeq
    case _ => Nil
  }

  /** The numbers that a condition allows, by column name. */
  private def ranges(filter: Filter): Seq[(String, AllowedNumbers)] = filter match {
    case And(left, right)                      => ranges(left) ++ ranges(right)
    case EqualTo(name, value: Long)            => Seq(name -> AllowedNumbers(value, value))
    case EqualNullSafe(name, value: Long)      => Seq(name -> AllowedNumbers(value, value))
    case LessThanOrEqual(name, value: Long)    => Seq(name -> AllowedNumbers(Long.MinValue, value))
    case GreaterThanOrEqual(name, value: Long) => Seq(name -> AllowedNumbers(value, Long.MaxValue))
    case LessThan(name, value: Long) if value > Long.MinValue =>
      ranges(LessThanOrEqual(name, value - 1))
    case GreaterThan(name, value: Long) if value < Long.MaxValue =>
      ranges(GreaterThanOrEqual(name, value + 1))
    case In(name, values) =>
      val numbers = values.collect { case value: Long => value }
      Option
        .when(numbers.nonEmpty && numbers.length == values.count(_ != null))(
          name -> AllowedNumbers(numbers.min, numbers.max, Some(numbers.toSet))
        )
        .toSeq
    case _ => Nil
  }

  /** The column of numbers with this name, if there is one. */
  private def numbersOf(name: String, columns: StructType): Option[Column] =
    Column.all.find { column =>
      column.isInstanceOf[Column.NumberColumn] && RowSchema.isSame(column.name, name) &&
      columns.exists(field => field.dataType == LongType && RowSchema.isSame(field.name, name))
    }

  /** The column with this name, if a reader can decide whether its values are allowed. */
  private def columnOf(name: String, allowed: AllowedValues, columns: StructType): Option[Column] =
    for {
      field <- columns.find(field => RowSchema.isSame(field.name, name))
      column <- Decided.find(column => RowSchema.isSame(column.name, name))
      if field.dataType == StringType || allowed.texts.forall(_.isEmpty)
    } yield column
}
