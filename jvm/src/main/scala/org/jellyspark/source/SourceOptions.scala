package org.jellyspark.source

import org.apache.spark.sql.SparkSession

import org.jellyspark.core.formats.{OptionParser, RowFormat}

/** The options of a Spark read that are the same for all formats.
  *
  * @param terms
  *   the form of the columns that hold terms
  * @param corruptColumn
  *   name of the column that takes the text of malformed rows; null in a format that cannot skip a
  *   row
  */
private[source] final case class SourceOptions(
    terms: TermForm,
    mode: ReadMode,
    corruptColumn: String
)

private[source] object SourceOptions {
  val TermsKey = "terms"
  val ModeKey = "mode"
  val CorruptColumnKey = "columnNameOfCorruptRecord"

  // Spark's own setting, the default of the option of its name.
  private val CorruptColumnSetting = "spark.sql.columnNameOfCorruptRecord"

  /** @throws org.jellyspark.OptionException
    *   if a value is none of the valid ones
    */
  def apply(
      format: RowFormat,
      options: Map[String, String],
      spark: SparkSession
  ): SourceOptions = {
    val parser = new OptionParser(options)
    SourceOptions(
      parser.oneOf(TermsKey, TermForm.values, TermForm.Text),
      parser.oneOf(ModeKey, ReadMode.valuesFor(format), ReadMode.FailFast),
      if (format.canSkipRows) parser.text(CorruptColumnKey, spark.conf.get(CorruptColumnSetting))
      else null
    )
  }
}
