package org.jellyspark.source.files

import java.io.FileNotFoundException
import java.nio.file.{Files, Path}
import java.nio.file.attribute.FileTime

import org.apache.hadoop.conf.Configuration
import org.apache.spark.paths.SparkPath
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.JellySparkException

class UnchangedFileSuite extends AnyFunSuite {

  /** Tests a file that was planned as it is now. */
  private def withFile(test: (Path, UnchangedFile) => Unit): Unit = {
    val path = Files.write(Files.createTempFile("file", ".jelly"), Array[Byte](1, 2, 3))
    val planned = PartitionedFile(
      InternalRow.empty,
      SparkPath.fromUri(path.toUri),
      0,
      1,
      modificationTime = Files.getLastModifiedTime(path).toMillis,
      fileSize = 3
    )
    try test(path, new UnchangedFile(planned, new Configuration()))
    finally {
      Files.deleteIfExists(path)
      ()
    }
  }

  private val changes: Map[String, Path => Any] = Map(
    "is longer" -> (path => Files.write(path, Array[Byte](1, 2, 3, 4))),
    "is shorter" -> (path => Files.write(path, Array[Byte](1))),
    "has another time" -> (path => Files.setLastModifiedTime(path, FileTime.fromMillis(1000)))
  )

  test("a file that stays is unchanged") {
    withFile { (_, file) =>
      file.check()
      file.checkAtEnd()
    }
  }

  changes.foreach { case (name, change) =>
    test(s"a file that $name is not opened, and not read to its end") {
      withFile { (path, file) =>
        file.check()
        change(path)
        val error = intercept[JellySparkException](file.checkAtEnd())
        assert(error.getMessage.contains("changed after it was listed for this query"))
        intercept[JellySparkException](file.check())
      }
    }
  }

  test("a file that goes while it is read was read") {
    withFile { (path, file) =>
      Files.delete(path)
      file.checkAtEnd()
      intercept[FileNotFoundException](file.check())
    }
  }
}
