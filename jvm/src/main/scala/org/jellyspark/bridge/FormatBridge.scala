package org.jellyspark.bridge

import java.io._
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, OpenOption, Path, Paths}
import java.nio.file.StandardCopyOption.REPLACE_EXISTING
import java.nio.file.StandardOpenOption.{CREATE_NEW, WRITE}
import java.util.{Map => JavaMap, Properties, UUID}

import scala.jdk.CollectionConverters._

import org.jellyspark.core.formats.{RowFormat, RowReader}

/** What Python calls through Py4J. Bulk passes through files, as Py4J is slow with it; rows are in
  * the form of [[RowLines]].
  */
object FormatBridge {

  /** The jar's version, which is the Python package's. */
  def version: String = {
    val properties = new Properties
    val in = getClass.getResourceAsStream("/org/jellyspark/version.properties")
    try properties.load(in)
    finally in.close()
    properties.getProperty("version")
  }

  /** Encodes a file of rows as a file of a format, which is there when all went well, or not at
    * all.
    *
    * @return
    *   the number of rows
    */
  def encode(
      format: String,
      rows: String,
      file: String,
      options: JavaMap[String, String]
  ): Long = {
    val target = Formats.find(format)
    val writer = target.writer(options.asScala.toMap)
    val lines = Files.newBufferedReader(Paths.get(rows), UTF_8)
    try writeWhole(Paths.get(file))(out => new RowLines(target).encode(lines, writer.open(out)))
    finally lines.close()
  }

  /** Decodes a file of a format to a file of rows, which is there when all went well, or not at
    * all.
    *
    * @param name
    *   what errors call the file
    * @return
    *   the number of rows
    */
  def decode(
      format: String,
      file: String,
      name: String,
      rows: String,
      options: JavaMap[String, String]
  ): Long = {
    val source = Formats.find(format)
    read(source, file, name, options) { reader =>
      writeWhole(Paths.get(rows)) { out =>
        val lines = new BufferedWriter(new OutputStreamWriter(out, UTF_8))
        new RowLines(source).decode(reader, lines)
      }
    }
  }

  /** Writes a file anew, with other options, or in another format.
    *
    * @param name
    *   what errors call the file that is read
    * @return
    *   the number of rows
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
    val target = Formats.find(toFormat).writer(writeOptions.asScala.toMap)
    read(Formats.find(fromFormat), from, name, readOptions) { reader =>
      writeWhole(Paths.get(to)) { out =>
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

  private def read[A](
      format: RowFormat,
      file: String,
      name: String,
      options: JavaMap[String, String]
  )(use: RowReader => A): A = {
    val factory = format.reader(options.asScala.toMap)
    val in = new BufferedInputStream(Files.newInputStream(Paths.get(file)))
    try use(factory.open(in, name))
    finally in.close()
  }

  /** Writes beside the target first, so that nobody ever sees half a file. What is no file (a pipe,
    * a device) stays what it is, and is written to.
    */
  private def writeWhole[A](path: Path)(write: OutputStream => A): A = {
    val target = if (Files.exists(path)) path.toRealPath() else path
    if (Files.exists(target) && !Files.isRegularFile(target)) writeTo(target)(write)
    else {
      val part = target.resolveSibling(s".${UUID.randomUUID()}.part")
      try {
        val answer = writeTo(part, CREATE_NEW, WRITE)(write)
        Files.move(part, target, REPLACE_EXISTING)
        answer
      } finally Files.deleteIfExists(part)
    }
  }

  private def writeTo[A](path: Path, options: OpenOption*)(write: OutputStream => A): A = {
    val out = new BufferedOutputStream(Files.newOutputStream(path, options: _*))
    try write(out)
    finally out.close()
  }
}
