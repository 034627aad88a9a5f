package org.jellyspark.source

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

import org.apache.hadoop.conf.Configuration
import org.apache.spark.paths.SparkPath
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.PartitionedFile
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

  private def fileOf(path: Path, size: Long): HadoopInputFile =
    new HadoopInputFile(
      PartitionedFile(InternalRow.empty, SparkPath.fromUri(path.toUri), 0, 1, fileSize = size),
      conf
    )

  private def read(file: InputFile, offset: Long): String = {
    val in = file.open(offset)
    try new String(in.readAllBytes, UTF_8)
    finally in.close()
  }

  test("a file can be opened at any offset") {
    withFile("a b.jelly", "0123456789", Compression.Uncompressed) { path =>
      val file = fileOf(path, 10)
      assert(file.length == 10)
      assert(file.name == path.toUri.toString)
      assert(Seq(0L, 3L, 10L).map(read(file, _)) == Seq("0123456789", "3456789", ""))
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
      assert(read(file, 0) == "0123456789")
      intercept[IllegalArgumentException](file.open(1))
    }
  }
}
