package org.jellyspark.bridge

import java.io.{BufferedInputStream, Writer}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}
import java.util.{List => JavaList, Map => JavaMap, Properties}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.core.{JsonFactory, JsonGenerator}
import org.apache.spark.sql.classic.{Dataset, SparkSession}

import org.jellyspark.{MalformedInputException, OptionException}
import org.jellyspark.core.formats.{Engine, FileHints, RowFormat, RowReader}
import org.jellyspark.core.rows.{Column, Row}
import org.jellyspark.core.terms.NTriples
import org.jellyspark.source.DataSources
import org.jellyspark.sql.digests.{DigestExec, ScannedSize}
import org.jellyspark.sql.session.JellySparkExtensions

/** The methods that Python calls through Py4J. */
object FormatBridge {

  /** The version of the jar, which must equal the version of the Python package. */
  def version: String = {
    val properties = new Properties
    val in = getClass.getResourceAsStream("/org/jellyspark/version.properties")
    try properties.load(in)
    finally in.close()
    properties.getProperty("version")
  }

  /** Adds the column functions to a session that was created before the jar was on the class path.
    */
  def addFunctions(session: SparkSession): Unit = JellySparkExtensions.addTo(session)

  /** Returns the estimated number of bytes that a query reads; -1 if it may be slow to run twice.
    */
  def scannedBytes(query: Dataset[_]): Long =
    ScannedSize.of(query.queryExecution.withCachedData).fold(-1L)(_.min(Long.MaxValue).toLong)

  /** Returns how many tasks compute the digests of a query's statements at most. */
  def digestTasks(query: Dataset[_]): Int = DigestExec.mostTasks(query.sparkSession.sparkContext)

  /** Decodes a file in a format to a file of rows, because Py4J is slow for large data.
    *
    * Each line of it is a row: a JSON array with the values of all columns of the format, in order.
    * Terms are strings in N-Triples syntax; missing values are null.
    *
    * @param format
    *   the short name of the format
    * @param file
    *   the path of the file to read
    * @param name
    *   the file name for error messages
    * @param rows
    *   the path of the file of rows to write; replaced if it exists
    * @param options
    *   the options for reading the format
    * @throws org.jellyspark.JellySparkException
    *   if the format, an option or the file is not valid
    */
  def decode(
      format: String,
      file: String,
      name: String,
      rows: String,
      options: JavaMap[String, String]
  ): Unit = {
    val source = find(format, options)
    read(source, file, name, options) { reader =>
      val lines = Files.newBufferedWriter(Paths.get(rows), UTF_8)
      try while (reader.next()) writeLine(source.allColumns, reader.row, lines)
      finally lines.close()
    }
  }

  /** Returns the names of a format's engines. The first one is the default of the option `engine`.
    *
    * @param format
    *   the short name of the format
    * @throws org.jellyspark.JellySparkException
    *   if the format is not valid
    */
  def engines(format: String): JavaList[String] = Engine.namesOf(find(format)).asJava

  private[bridge] def find(format: String, options: JavaMap[String, String]): RowFormat =
    Engine.choose(find(format), options.asScala.toMap)

  private def find(format: String): RowFormat =
    DataSources.all
      .find(_.shortName() == format)
      .getOrElse(throw new OptionException(s"no format is called '$format'"))
      .format

  private[bridge] def read[A](
      format: RowFormat,
      file: String,
      name: String,
      options: JavaMap[String, String]
  )(use: RowReader => A): A = {
    val factory = format.reader(options.asScala.toMap)
    val in = new BufferedInputStream(Files.newInputStream(Paths.get(file)))
    try use(factory.open(in, name))
    catch {
      case e: MalformedInputException =>
        throw e.withHint(FileHints.find(head(file), format.shortName))
    } finally in.close()
  }

  private def head(file: String): Array[Byte] = {
    val in = Files.newInputStream(Paths.get(file))
    try in.readNBytes(FileHints.HeadSize)
    finally in.close()
  }

  // A generator writes a single line of a file, so it must not flush or close the file.
  private val json: JsonFactory = new JsonFactory()
    .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
    .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM)

  private def writeLine(columns: Seq[Column], row: Row, lines: Writer): Unit = {
    val out = json.createGenerator(lines)
    out.writeStartArray()
    columns.foreach {
      case Column.Op                 => out.writeString(row.op.code)
      case column: Column.TermColumn =>
        out.writeString(Option(column.get(row)).map(NTriples.format).orNull)
      case column: Column.TextColumn   => out.writeString(column.get(row))
      case column: Column.NumberColumn =>
        val number = column.get(row)
        if (number == Row.NoNumber) out.writeNull() else out.writeNumber(number)
    }
    out.writeEndArray()
    out.close()
    lines.write('\n')
  }
}
