package org.jellyspark.sql.messages

import org.apache.spark.sql.catalyst.analysis.TypeCheckResult
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult.{DataTypeMismatch, TypeCheckSuccess}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types._

import org.jellyspark.core.formats.RowFormat

/** The Spark types of messages. */
private[sql] object MessageTypes {

  /** The formats whose messages are strings. */
  private val OfText = Set("rdf_patch")

  /** The type of the messages of a format. */
  def encoded(format: RowFormat): DataType =
    if (OfText(format.shortName)) StringType else BinaryType

  /** Checks the type of a function's first argument. Null is always accepted, and binary is
    * accepted for a string, because Kafka messages are binary.
    */
  def check(argument: Expression, expected: DataType): TypeCheckResult =
    (expected, argument.dataType) match {
      case (_, NullType) | (BinaryType, BinaryType)                     => TypeCheckSuccess
      case (_: StringType, _: StringType) | (_: StringType, BinaryType) => TypeCheckSuccess
      case (_, found)                                                   =>
        DataTypeMismatch(
          errorSubClass = "UNEXPECTED_INPUT_TYPE",
          messageParameters = Map(
            "paramIndex" -> "first",
            "requiredType" -> s"\"${expected.sql}\"",
            "inputSql" -> s"\"${argument.sql}\"",
            "inputType" -> s"\"${found.sql}\""
          )
        )
    }
}
