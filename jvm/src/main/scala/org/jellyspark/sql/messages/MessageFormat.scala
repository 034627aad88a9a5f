package org.jellyspark.sql.messages

import java.util.Locale

import org.apache.spark.sql.catalyst.analysis.TypeCheckResult
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult.{DataTypeMismatch, TypeCheckSuccess}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.util.MapData
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.OptionException
import org.jellyspark.core.formats.{OptionNames, OptionParser, RowFormat}
import org.jellyspark.jelly.StreamOptions
import org.jellyspark.source.files.Compression
import org.jellyspark.source.{ReadMode, RowSchema, SourceOptions, TermColumnType}

/** The format of messages, with the options of a call. Each message is a complete file of the
  * format.
  *
  * @param function
  *   the name of the called function, for error messages
  * @param options
  *   the options of the format's reader or writer, checked by [[MessageFormat.apply]]
  * @param isPermissive
  *   whether a malformed message becomes null instead of an error
  */
private[sql] final case class MessageFormat(
    function: String,
    format: RowFormat,
    options: Map[String, String],
    terms: TermColumnType,
    isPermissive: Boolean
) {

  /** The columns of the rows, with their types. */
  def schema: StructType = {
    val read = SourceOptions(terms, ReadMode.FailFast, corruptColumn = null)
    rowSchema.of(read)
  }

  /** Gives each column of NULLs without a type, in rows to be written, the type that it has in this
    * format. NULLs are read in the same way whatever their type is.
    */
  def withTypes(columns: StructType): StructType = StructType(columns.map { field =>
    field.dataType match {
      case NullType =>
        val known = schema.find(column => RowSchema.isSame(column.name, field.name))
        known.fold(field)(column => field.copy(dataType = column.dataType))
      case parts: StructType =>
        val typed = parts.map(part =>
          if (part.dataType == NullType) part.copy(dataType = StringType) else part
        )
        field.copy(dataType = StructType(typed))
      case _ => field
    }
  })

  /** Checks that rows with these columns can be written.
    *
    * @throws org.jellyspark.JellySparkException
    *   if they cannot be written; the message names the column
    */
  def check(columns: StructType): Unit = {
    rowSchema.check(columns)
    rowSchema.checkComplete(columns)
  }

  private def rowSchema: RowSchema =
    new RowSchema(format, format.columns(options), corruptColumn = null)
}

private[sql] object MessageFormat {

  /** The formats whose messages are strings. */
  private val OfText = Set("rdf_patch")

  /** The type of the messages of a format. */
  def typeOf(format: RowFormat): DataType =
    if (OfText(format.shortName)) StringType else BinaryType

  /** Checks the type of a function's first argument. Null is always accepted, and binary is
    * accepted for a string, because Kafka messages are binary.
    */
  def checkArgument(argument: Expression, expected: DataType): TypeCheckResult =
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

  private val Modes = List(ReadMode.FailFast, ReadMode.Permissive)

  /** Options that only files have, each with the reason why messages do not have it. */
  private val OfFiles = Map(
    StreamOptions.RestartIntervalKey -> "a message has no restart points",
    StreamOptions.IndexColumnsKey -> "a message has no index",
    StreamOptions.IndexFilterBitsKey -> "a message has no index",
    Compression.Key -> "a message is not compressed",
    SourceOptions.CorruptColumnKey ->
      "with the mode PERMISSIVE, the array of a malformed message is null"
  )

  /** Parses the options of a call.
    *
    * @param options
    *   the argument, a constant map of strings; null if there is none
    * @throws org.jellyspark.OptionException
    *   if the argument, or an option's name or value, is not valid; the message lists what is valid
    */
  def apply(function: String, format: RowFormat, options: Expression): MessageFormat =
    try {
      val entries = if (options == null) Map.empty[String, String] else entriesOf(options)
      checkNames(format, entries.keys)
      val parser = new OptionParser(entries)
      val terms =
        parser.oneOf(SourceOptions.TermsKey, TermColumnType.values, TermColumnType.AsString)
      val mode = parser.oneOf(SourceOptions.ModeKey, Modes, ReadMode.FailFast)
      val all = ofMessages(format) ++ entries
      SourceOptions.checkAllColumns(all)
      format.reader(all)
      format.writer(all)
      MessageFormat(function, format, all, terms, mode == ReadMode.Permissive)
    } catch { case e: OptionException => throw new OptionException(s"$function: ${e.getMessage}") }

  /** The defaults that differ for messages: each message is a single undelimited frame without
    * restart points.
    */
  private def ofMessages(format: RowFormat): Map[String, String] =
    if (format.optionNames.contains(StreamOptions.DelimitedKey))
      Map(StreamOptions.DelimitedKey -> "false", StreamOptions.RestartIntervalKey -> "0")
    else Map.empty

  private def checkNames(format: RowFormat, names: Iterable[String]): Unit = {
    val known = format.optionNames.filterNot(OfFiles.contains) ++
      Seq(SourceOptions.TermsKey, SourceOptions.ModeKey, SourceOptions.CheckAllColumnsKey)
    names.foreach { name =>
      OfFiles.find(entry => lower(entry._1) == lower(name)).foreach { case (option, why) =>
        throw new OptionException(s"$option is an option of files: $why. Remove the option")
      }
    }
    OptionNames.check(names, known)
    names.find(name => !known.exists(lower(_) == lower(name))).foreach { name =>
      throw new OptionException(
        s"unknown option '$name'. The options are: ${known.mkString(", ")}"
      )
    }
  }

  private def lower(name: String): String = name.toLowerCase(Locale.ROOT)

  private def entriesOf(options: Expression): Map[String, String] = {
    if (!options.foldable || !isTextMap(options.dataType)) {
      throw new OptionException(
        "the options must be a constant map of strings, such as map('mode', 'PERMISSIVE'); " +
          s"not ${options.sql}, of type ${options.dataType.simpleString}"
      )
    }
    options.eval() match {
      case entries: MapData =>
        texts(entries.keyArray().toSeq[UTF8String](StringType))
          .zip(texts(entries.valueArray().toSeq[UTF8String](StringType)))
          .toMap
      case _ => throw new OptionException("the options must be a map of strings; not null")
    }
  }

  private def isTextMap(dataType: DataType): Boolean = dataType match {
    case MapType(_: StringType, _: StringType, _) => true
    case MapType(NullType, NullType, _)           => true // map(), without entries
    case _                                        => false
  }

  private def texts(values: Seq[UTF8String]): Seq[String] = values.map { value =>
    if (value == null) throw new OptionException("the value of an option must not be null")
    value.toString
  }
}
