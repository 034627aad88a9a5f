package org.jellyspark.sql.messages

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types.BinaryType

import org.jellyspark.core.formats.RowFormat
import org.jellyspark.core.rows.Column
import org.jellyspark.jelly.StreamOptions
import org.jellyspark.source.{
  JellyPatchSource,
  JellyRdfSource,
  RdfPatchSource,
  RdfPatchThriftSource
}
import org.jellyspark.sql.terms.SqlFunction

/** The column functions that decode and encode messages, two for each format. */
private[sql] object FormatFunctions {
  val all: Seq[SqlFunction[Expression]] =
    Seq(new JellyPatchSource, new JellyRdfSource, new RdfPatchSource, new RdfPatchThriftSource)
      .map(_.format)
      .flatMap(format => Seq(from(format), to(format)))

  private def from(format: RowFormat): SqlFunction[Expression] = {
    val name = s"from_${format.shortName}"
    SqlFunction(
      name,
      usage = s"""
    _FUNC_(message[, options]) - Returns the rows of a ${format.title} message as an array of structs,
      with the columns of the data source `${format.shortName}`. A message is a whole file of the
      format. Null if the message is null.
  """,
      arguments = s"""
    Arguments:
      * message - a ${typeOf(format)} expression
      * options - a constant map of strings: options for reading of the data source, but for those of
          files. `mode` is FAILFAST (default), which fails for a malformed message, or PERMISSIVE,
          which returns null for it. `terms` is string (default) or struct.
  """,
      examples = s"""
    Examples:
      > SELECT object FROM (SELECT inline(_FUNC_(${exampleOf(format)})));
       "x"
      > SELECT _FUNC_(cast('oops' AS binary), map('mode', 'PERMISSIVE'));
       NULL
  """,
      arguments =>
        call(name, arguments) { (child, options) =>
          val message = MessageFormat(name, format, options)
          FromMessage(child, message, message.schema)
        }
    )
  }

  private def to(format: RowFormat): SqlFunction[Expression] = {
    val name = s"to_${format.shortName}"
    SqlFunction(
      name,
      usage = s"""
    _FUNC_(rows[, options]) - Returns the ${format.title} message that holds the rows of an array of
      structs. A message is a whole file of the format${delimitedOf(format)}. Null if the array
      is null.
  """,
      arguments = s"""
    Arguments:
      * rows - an array of structs, with columns that the data source `${format.shortName}` writes, in
          any order
      * options - a constant map of strings: options for writing of the data source, but for those of
          files
  """,
      examples = s"""
    Examples:
      > SELECT size(from_${format.shortName}(${exampleOf(format)}));
       1
  """,
      arguments =>
        call(name, arguments) { (child, options) =>
          ToMessage(child, MessageFormat(name, format, options))
        }
    )
  }

  private def typeOf(format: RowFormat): String =
    if (MessageFormat.typeOf(format) == BinaryType) "binary" else "string"

  private def delimitedOf(format: RowFormat): String =
    if (format.optionNames.contains(StreamOptions.DelimitedKey))
      ", undelimited unless the option `delimited` is true"
    else ""

  // An example message with one statement, as SQL.
  private def exampleOf(format: RowFormat): String = {
    val op = if (format.allColumns.contains(Column.Op)) "'A' AS op, " else ""
    s"to_${format.shortName}(array(struct(${op}'<a:s>' AS subject, '<a:p>' AS predicate, " +
      "'\"x\"' AS object)))"
  }

  private def call(name: String, arguments: Seq[Expression])(
      build: (Expression, Expression) => Expression
  ): Expression = arguments match {
    case Seq(child)          => build(child, null)
    case Seq(child, options) => build(child, options)
    case _                   => SqlFunction.refuseCount(name, "[1, 2]", arguments.length)
  }
}
