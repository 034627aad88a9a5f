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

  /** Guards two rows of a file that was planned as it is now. */
  private def withRows(test: (Path, Iterator[Int], () => Iterator[Int]) => Unit): Unit = {
    val path = Files.write(Files.createTempFile("file", ".jelly"), Array[Byte](1, 2, 3))
    val planned = PartitionedFile(
      InternalRow.empty,
      SparkPath.fromUri(path.toUri),
      0,
      1,
      modificationTime = Files.getLastModifiedTime(path).toMillis,
      fileSize = 3
    )
    val guarded = () => new UnchangedFile(planned, new Configuration()).guard(Iterator(1, 2))
    try test(path, guarded(), guarded)
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

  test("a file that stays has its rows") {
    withRows((_, rows, _) => assert(rows.toList == List(1, 2)))
  }

  changes.foreach { case (name, change) =>
    test(s"a file that $name is not opened, and not read to its end") {
      withRows { (path, rows, open) =>
        assert(rows.next() == 1)
        change(path)
        assert(rows.next() == 2)
        val error = intercept[JellySparkException](rows.hasNext)
        assert(error.getMessage.contains("changed after it was listed for this query"))
        assert(!rows.hasNext)
        intercept[JellySparkException](open())
      }
    }
  }

  test("a file that goes while it is read was read") {
    withRows { (path, rows, open) =>
      Files.delete(path)
      assert(rows.toList == List(1, 2))
      intercept[FileNotFoundException](open())
    }
  }
}
