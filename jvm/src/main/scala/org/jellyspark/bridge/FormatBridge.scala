package org.jellyspark.bridge

import java.io._
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}
import java.util.{List => JavaList, Map => JavaMap, Properties}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.classic.SparkSession

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.{Engine, FileHints, RowFormat, RowReader}
import org.jellyspark.sql.session.JellySparkExtensions

/** The methods that Python calls through Py4J.
  *
  * Rows are passed in files, because Py4J is slow for large data. `JsonRows` defines the file
  * format.
  */
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

  /** Encodes a file of rows in a format. On failure, no file is left behind.
    *
    * @param format
    *   the short name of the format
    * @param rows
    *   the path of the file of rows
    * @param file
    *   the path of the file to write; replaced if it exists
    * @param options
    *   the options for writing the format
    * @return
    *   the number of rows written
    * @throws org.jellyspark.JellySparkException
    *   if the format, an option or a row is not valid
    */
  def encode(
      format: String,
      rows: String,
      file: String,
      options: JavaMap[String, String]
  ): Long = {
    val target = find(format, options)
    val writer = target.writer(options.asScala.toMap)
    val lines = Files.newBufferedReader(Paths.get(rows), UTF_8)
    try
      WholeFile.write(Paths.get(file))(out => new JsonRows(target).encode(lines, writer.open(out)))
    finally lines.close()
  }

  /** Decodes a file in a format to a file of rows. On failure, no file is left behind.
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
    * @return
    *   the number of rows read
    * @throws org.jellyspark.JellySparkException
    *   if the format, an option or the file is not valid
    */
  def decode(
      format: String,
      file: String,
      name: String,
      rows: String,
      options: JavaMap[String, String]
  ): Long = {
    val source = find(format, options)
    read(source, file, name, options) { reader =>
      WholeFile.write(Paths.get(rows)) { out =>
        val lines = new BufferedWriter(new OutputStreamWriter(out, UTF_8))
        new JsonRows(source).decode(reader, lines)
      }
    }
  }

  /** Copies a file to another format, or to the same format with other options. On failure, no file
    * is left behind.
    *
    * @param fromFormat
    *   the short name of the format to read
    * @param from
    *   the path of the file to read
    * @param name
    *   the name of the input file for error messages
    * @param toFormat
    *   the short name of the format to write
    * @param to
    *   the path of the file to write; replaced if it exists
    * @param readOptions
    *   the options for reading `fromFormat`
    * @param writeOptions
    *   the options for writing `toFormat`
    * @return
    *   the number of rows copied
    * @throws org.jellyspark.JellySparkException
    *   if a format, an option, the file or a row is not valid
    */
  def rewrite(
      fromFormat: String,
      from: String,
      name: String,
      toFormat: String,
      to: String,
      readOptions: JavaMap[String, String],
      writeOptions: JavaMap[String, String]
  ): Long = {
    val target = find(toFormat, writeOptions).writer(writeOptions.asScala.toMap)
    read(find(fromFormat, readOptions), from, name, readOptions) { reader =>
      WholeFile.write(Paths.get(to)) { out =>
        val writer = target.open(out)
        var count = 0L
        while (reader.next()) {
          writer.write(reader.row)
          count += 1
        }
        writer.finish()
        count
      }
    }
  }

  /** Returns the names of a format's engines. The first one is the default of the option `engine`.
    *
    * @param format
    *   the short name of the format
    * @throws org.jellyspark.JellySparkException
    *   if the format is not valid
    */
  def engines(format: String): JavaList[String] = Engine.namesOf(Formats.find(format)).asJava

  private def find(format: String, options: JavaMap[String, String]): RowFormat =
    Engine.choose(Formats.find(format), options.asScala.toMap)

  private def read[A](
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
}
