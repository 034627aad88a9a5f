package org.jellyspark.bridge

import java.io._
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, OpenOption, Path, Paths}
import java.nio.file.StandardCopyOption.REPLACE_EXISTING
import java.nio.file.StandardOpenOption.{CREATE_NEW, WRITE}
import java.util.{Map => JavaMap, Properties, UUID}

import scala.jdk.CollectionConverters._

import org.jellyspark.codec._

/** What Python calls through Py4J. Bulk passes through files, as Py4J is slow with it; rows are in
  * the form of [[RowLines]].
  */
object PatchBridge {

  /** The jar's version, which is the Python package's. */
  def version: String = {
    val properties = new Properties
    val in = getClass.getResourceAsStream("/org/jellyspark/version.properties")
    try properties.load(in)
    finally in.close()
    properties.getProperty("version")
  }

  /** Encodes a file of rows as a Jelly-Patch file, which is there when all went well, or not at
    * all.
    *
    * @return
    *   the number of rows
    */
  def encode(rows: String, patch: String, options: JavaMap[String, String]): Long = {
    val parsed = PatchOptions(options.asScala.toMap)
    val lines = Files.newBufferedReader(Paths.get(rows), UTF_8)
    try writeWhole(Paths.get(patch))(out => RowLines.encode(lines, new PatchWriter(out, parsed)))
    finally lines.close()
  }

  /** Decodes a Jelly-Patch file to a file of rows, which is there when all went well, or not at
    * all.
    *
    * @param name
    *   what errors call the Jelly-Patch file
    * @return
    *   the number of rows
    */
  def decode(
      patch: String,
      name: String,
      rows: String,
      options: JavaMap[String, String]
  ): Long =
    read(patch, name, options) { reader =>
      writeWhole(Paths.get(rows)) { out =>
        val lines = new BufferedWriter(new OutputStreamWriter(out, UTF_8))
        RowLines.decode(reader, lines)
      }
    }

  /** Writes a Jelly-Patch file anew, with other options.
    *
    * @param name
    *   what errors call the file that is read
    * @return
    *   the number of rows
    */
  def rewrite(
      from: String,
      name: String,
      to: String,
      readOptions: JavaMap[String, String],
      writeOptions: JavaMap[String, String]
  ): Long = {
    val parsed = PatchOptions(writeOptions.asScala.toMap)
    read(from, name, readOptions) { reader =>
      writeWhole(Paths.get(to)) { out =>
        val writer = new PatchWriter(out, parsed)
        while (reader.next()) {
          writer.write(reader.row, reader.numbering.patch, reader.numbering.seq)
        }
        writer.finish()
        reader.numbering.seq + 1
      }
    }
  }

  private def read[A](patch: String, name: String, options: JavaMap[String, String])(
      use: PatchReader => A
  ): A = {
    val parsed = ReadOptions(options.asScala.toMap)
    val in = new BufferedInputStream(Files.newInputStream(Paths.get(patch)))
    try use(new PatchReader(in, name, parsed))
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
