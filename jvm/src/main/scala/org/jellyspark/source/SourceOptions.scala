package org.jellyspark.source

import org.apache.spark.sql.SparkSession

import org.jellyspark.core.formats.{Engine, OptionNames, OptionParser, RowFormat}
import org.jellyspark.source.files.Compression

/** The options of a Spark read that do not depend on the format.
  *
  * @param terms
  *   the type of the columns that hold terms
  * @param mode
  *   how to handle malformed input
  * @param corruptColumn
  *   the name of the column for the text of malformed rows; null in a format that cannot skip a row
  */
private[jellyspark] final case class SourceOptions(
    terms: TermColumnType,
    mode: ReadMode,
    corruptColumn: String
)

private[jellyspark] object SourceOptions {
  val TermsKey = "terms"
  val ModeKey = "mode"
  val CorruptColumnKey = "columnNameOfCorruptRecord"
  val CheckAllColumnsKey = "checkAllColumns"

  /** The option of a write into the folder of a managed log. Any data source can have it. */
  val WriteIntoLogKey = "writeIntoLog"

  /** The names of the options that every format has in Spark, for reading and writing. */
  private val Keys: Seq[String] =
    Seq(
      TermsKey,
      ModeKey,
      CorruptColumnKey,
      CheckAllColumnsKey,
      WriteIntoLogKey,
      Compression.Key,
      Engine.Key
    )

  /** Checks that no option name is a misspelling of one of the format's. Unrelated names are
    * ignored, because they are not our options.
    *
    * @throws org.jellyspark.OptionException
    *   if a name is misspelt; the message has the correct name
    */
  def checkNames(format: RowFormat, options: Map[String, String]): Unit =
    OptionNames.check(options.keys, format.optionNames ++ Keys)

  /** Whether a read decodes all columns of all rows, so that it finds the same malformed rows
    * whatever a query uses. Implied by the option `strict`.
    *
    * @throws org.jellyspark.OptionException
    *   if the value of one of the two options is not valid
    */
  def checkAllColumns(options: Map[String, String]): Boolean = {
    val parser = new OptionParser(options)
    parser.boolean(CheckAllColumnsKey, default = false) | RowFormat.strict(parser)
  }

  // The Spark setting that provides the default of the option.
  private val CorruptColumnSetting = "spark.sql.columnNameOfCorruptRecord"

  /** Parses the options of a Spark read.
    *
    * @throws org.jellyspark.OptionException
    *   if a name is misspelt, or a value is not valid; the message lists the valid ones
    */
  def apply(
      format: RowFormat,
      options: Map[String, String],
      spark: SparkSession
  ): SourceOptions = {
    checkNames(format, options)
    val parser = new OptionParser(options)
    SourceOptions(
      parser.oneOf(TermsKey, TermColumnType.values, TermColumnType.AsString),
      parser.oneOf(ModeKey, ReadMode.valuesFor(format), ReadMode.FailFast),
      if (format.canSkipRows) parser.text(CorruptColumnKey, spark.conf.get(CorruptColumnSetting))
      else null
    )
  }
}
