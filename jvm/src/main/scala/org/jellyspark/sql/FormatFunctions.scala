package org.jellyspark.sql

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.expressions.Expression

import org.jellyspark.core.formats.RowFormat
import org.jellyspark.source.{
  JellyPatchSource,
  JellyRdfSource,
  RdfPatchSource,
  RdfPatchThriftSource
}

/** The column functions that decode and encode messages: two for each format. */
private[sql] object FormatFunctions {
  val all: Seq[SqlFunction] =
    Seq(new JellyPatchSource, new JellyRdfSource, new RdfPatchSource, new RdfPatchThriftSource)
      .map(_.format)
      .flatMap(format => Seq(from(format), to(format)))

  private def from(format: RowFormat): SqlFunction = {
    val name = s"from_${format.shortName}"
    SqlFunction(
      name,
      usage = "",
      arguments = "",
      examples = "",
      arguments =>
        call(name, arguments) { (child, options) =>
          val message = MessageFormat(name, format, options)
          FromMessage(child, message, message.schema)
        }
    )
  }

  private def to(format: RowFormat): SqlFunction = {
    val name = s"to_${format.shortName}"
    SqlFunction(
      name,
      usage = "",
      arguments = "",
      examples = "",
      arguments =>
        call(name, arguments) { (child, options) =>
          ToMessage(child, MessageFormat(name, format, options))
        }
    )
  }

  private def call(name: String, arguments: Seq[Expression])(
      build: (Expression, Expression) => Expression
  ): Expression = arguments match {
    case Seq(child)          => build(child, null)
    case Seq(child, options) => build(child, options)
    case _                   =>
      throw new AnalysisException(
        "WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
        Map(
          "functionName" -> s"`$name`",
          "expectedNum" -> "[1, 2]",
          "actualNum" -> arguments.length.toString,
          "docroot" -> "https://spark.apache.org/docs/latest"
        )
      )
  }
}
