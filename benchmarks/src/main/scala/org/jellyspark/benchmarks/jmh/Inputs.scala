package org.jellyspark.benchmarks.jmh

import java.io.{ByteArrayInputStream, InputStream}
import java.nio.file.{Files, Path}

import org.jellyspark.core.formats._
import org.jellyspark.core.rows.{Column, ColumnBatch, RowFilter}
import org.jellyspark.formats.jellypatch.JellyPatch
import org.jellyspark.formats.jellyrdf.JellyRdf
import org.jellyspark.source.Utf8StringTermFactory

/** The files that the benchmarks of this package read, in memory. The system property
  * `benchmarks.data` names their folder.
  */
object Inputs {

  /** The number of statements in each file, so that results are for one statement. */
  final val Rows = 200000

  /** The format with this name. */
  def format(name: String): JellyFormatOf = name match {
    case "jelly_rdf"   => JellyFormatOf(JellyRdf, "physicalType")
    case "jelly_patch" => JellyFormatOf(JellyPatch, "statementType")
  }

  /** A format, and the option of its writer that says whether statements are triples or quads. */
  final case class JellyFormatOf(format: RowFormat, typeKey: String) {

    /** The options for writing a dataset. */
    def options(dataset: String): Map[String, String] =
      Map(typeKey -> (if (dataset == "weather") "QUADS" else "TRIPLES"))
  }

  /** The file of a dataset in a format. */
  def file(dataset: String, format: String): InputFile = {
    val name = s"$dataset.$format"
    new MemoryFile(name, Files.readAllBytes(Path.of(System.getProperty("benchmarks.data"), name)))
  }

  /** Reads a file in batches of Spark's strings, and returns how many rows there are.
    *
    * @param use
    *   is called with each batch
    */
  def read(
      file: InputFile,
      format: RowFormat,
      columns: Set[Column],
      filter: RowFilter,
      use: ColumnBatch => Unit
  ): Int = {
    val request = BatchRequest(columns, filter, Utf8StringTermFactory)
    val reader = format.batchReader(Map.empty, request).open(file, FilePart.Whole)
    var rows = 0
    try {
      var batch = reader.next()
      while (batch != null) {
        rows += batch.size
        use(batch)
        batch = reader.next()
      }
    } finally reader.close()
    rows
  }

  private final class MemoryFile(val name: String, bytes: Array[Byte]) extends InputFile {
    override def length: Long = bytes.length.toLong

    override def open(start: Long, end: Long): InputStream =
      new ByteArrayInputStream(bytes, start.toInt, bytes.length)
  }
}
