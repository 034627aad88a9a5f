package org.jellyspark

import org.apache.spark.sql.Column
import org.apache.spark.sql.functions.{call_function, lit, map}

/** Column functions: messages to rows and back.
  *
  * {{{
  * import org.jellyspark.functions._
  * messages.select(explode(from_jelly_patch($"value")).as("row")).select("row.*")
  * }}}
  *
  * They are found in each session that has the jar, also by these names in SQL. A message is one
  * file of its format, in a column. In the Jelly formats, it is written undelimited unless the
  * option `delimited` is true, and read in both forms.
  *
  *   - `from_…` returns the rows of a message as an array of structs, with the columns of the data
  *     source. The array is made as a whole: memory grows with the rows of the longest message. Of
  *     each row, only the columns that the query uses are decoded.
  *   - `to_…` returns the message that holds the rows of an array of structs. It takes the columns
  *     that the data source writes.
  *
  * `options` are those of the data source, apart from those of files (`compression`,
  * `restartInterval`, `columnNameOfCorruptRecord`). `mode` is FAILFAST (default: a malformed
  * message is an error) or PERMISSIVE (a malformed message is null). Null is null both ways.
  */
object functions {

  // Formats

  /** The rows of a Jelly-Patch message, a column of binary. */
  def from_jelly_patch(message: Column): Column = call_function("from_jelly_patch", message)

  /** As the other `from_jelly_patch`, with options. */
  def from_jelly_patch(message: Column, options: Map[String, String]): Column =
    call_function("from_jelly_patch", message, entries(options))

  /** The Jelly-Patch message, a column of binary, that holds the rows of an array. */
  def to_jelly_patch(rows: Column): Column = call_function("to_jelly_patch", rows)

  /** As the other `to_jelly_patch`, with options. */
  def to_jelly_patch(rows: Column, options: Map[String, String]): Column =
    call_function("to_jelly_patch", rows, entries(options))

  /** The statements of a Jelly-RDF message, a column of binary. */
  def from_jelly_rdf(message: Column): Column = call_function("from_jelly_rdf", message)

  /** As the other `from_jelly_rdf`, with options. */
  def from_jelly_rdf(message: Column, options: Map[String, String]): Column =
    call_function("from_jelly_rdf", message, entries(options))

  /** The Jelly-RDF message, a column of binary, that holds the statements of an array. */
  def to_jelly_rdf(rows: Column): Column = call_function("to_jelly_rdf", rows)

  /** As the other `to_jelly_rdf`, with options. */
  def to_jelly_rdf(rows: Column, options: Map[String, String]): Column =
    call_function("to_jelly_rdf", rows, entries(options))

  /** The rows of an RDF Patch, a column of strings or of binary that is UTF-8. */
  def from_rdf_patch(message: Column): Column = call_function("from_rdf_patch", message)

  /** As the other `from_rdf_patch`, with options. */
  def from_rdf_patch(message: Column, options: Map[String, String]): Column =
    call_function("from_rdf_patch", message, entries(options))

  /** The RDF Patch, a column of strings, that holds the rows of an array. */
  def to_rdf_patch(rows: Column): Column = call_function("to_rdf_patch", rows)

  /** As the other `to_rdf_patch`, with options. */
  def to_rdf_patch(rows: Column, options: Map[String, String]): Column =
    call_function("to_rdf_patch", rows, entries(options))

  /** The rows of an RDF Patch in Thrift, a column of binary. */
  def from_rdf_patch_thrift(message: Column): Column =
    call_function("from_rdf_patch_thrift", message)

  /** As the other `from_rdf_patch_thrift`, with options. */
  def from_rdf_patch_thrift(message: Column, options: Map[String, String]): Column =
    call_function("from_rdf_patch_thrift", message, entries(options))

  /** The RDF Patch in Thrift, a column of binary, that holds the rows of an array. */
  def to_rdf_patch_thrift(rows: Column): Column = call_function("to_rdf_patch_thrift", rows)

  /** As the other `to_rdf_patch_thrift`, with options. */
  def to_rdf_patch_thrift(rows: Column, options: Map[String, String]): Column =
    call_function("to_rdf_patch_thrift", rows, entries(options))

  private def entries(options: Map[String, String]): Column =
    map(options.toSeq.flatMap { case (name, value) => Seq(lit(name), lit(value)) }: _*)
}
