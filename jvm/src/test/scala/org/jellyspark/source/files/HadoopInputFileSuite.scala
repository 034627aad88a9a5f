package org.jellyspark.source.files

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import org.apache.hadoop.conf.Configuration
import org.apache.spark.paths.SparkPath
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.apache.spark.util.SerializableConfiguration
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.core.formats.InputFile

class HadoopInputFileSuite extends AnyFunSuite {
  private val conf = new Configuration()

  private def withFile(name: String, content: String, compression: Compression)(
      test: Path => Unit
  ): Unit = {
    val folder = Files.createTempDirectory("files")
    val path = folder.resolve(name)
    val out = Compression.create(new org.apache.hadoop.fs.Path(path.toUri), conf, compression)
    out.write(content.getBytes(UTF_8))
    out.close()
    try test(path)
    finally {
      folder.toFile.listFiles.foreach(_.delete())
      Files.delete(folder)
    }
  }

  private val context = new ReadContext(new SerializableConfiguration(conf))

  private def fileOf(path: Path, size: Long, part: Long = 1): HadoopInputFile = {
    val uri = SparkPath.fromUri(path.toUri)
    new HadoopInputFile(PartitionedFile(InternalRow.empty, uri, 0, part, fileSize = size), context)
  }

  private def read(file: InputFile, start: Long, end: Long): String = {
    val in = file.open(start, end)
    try new String(in.readAllBytes, UTF_8)
    finally in.close()
  }

  test("a file can be opened at any offset") {
    withFile("a b.jelly", "0123456789", Compression.Uncompressed) { path =>
      val file = fileOf(path, 10)
      assert(file.length == 10)
      assert(file.name == path.toUri.toString)
      assert(Seq(0L, 3L, 10L).map(read(file, _, 10)) == Seq("0123456789", "3456789", ""))
      assert(new String(file.tail(3), UTF_8) == "789")
    }
  }

  test("the length is looked up if Spark does not pass it on") {
    withFile("a.jelly", "0123456789", Compression.Uncompressed) { path =>
      assert(fileOf(path, 0).length == 10)
    }
  }

  test("a compressed file can only be opened at offset 0") {
    withFile("a.jelly.gz", "0123456789", Compression.Gzip) { path =>
      val file = fileOf(path, Files.size(path))
      assert(file.length == InputFile.UnknownLength)
      assert(read(file, 0, Long.MaxValue) == "0123456789")
      intercept[IllegalArgumentException](file.open(1, 2))
    }
  }

  test("a stream goes on behind the end that was asked for") {
    withFile("a.jelly", "0123456789", Compression.Uncompressed) { path =>
      val file = fileOf(path, 10)
      for (start <- 0 to 10; end <- start to 10)
        assert(read(file, start.toLong, end.toLong) == "0123456789".drop(start))
    }
  }

  test("tasks share the tail of a file, and one task reads a small file once") {
    withFile("a.jelly", "0123456789", Compression.Uncompressed) { path =>
      val whole = fileOf(path, 10, part = 10)
      for (file <- Seq(fileOf(path, 10), whole)) assert(new String(file.tail(3), UTF_8) == "789")
      Files.delete(path)
      assert(new String(fileOf(path, 10).tail(3), UTF_8) == "789")
      assert(read(whole, 4, 10) == "456789")
      intercept[java.io.FileNotFoundException](fileOf(path, 10, part = 10).tail(3))
    }
  }

  test("a file that is shorter than when the query was planned has no tail") {
    withFile("a.jelly", "0123456789", Compression.Uncompressed) { path =>
      val e = intercept[java.io.EOFException](fileOf(path, 12).tail(3))
      assert(e.getMessage.endsWith("a.jelly is shorter than 12 bytes, its reported length"))
    }
  }
}
