package org.jellyspark.bridge

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.attribute.PosixFilePermissions
import java.nio.file.{Files, NoSuchFileException, Path}
import java.util.concurrent.atomic.{AtomicBoolean, AtomicInteger}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.JellySparkException

class FormatBridgeSuite extends AnyFunSuite {
  private def inFolder(test: Path => Unit): Unit = {
    val folder = Files.createTempDirectory("jelly-spark")
    try test(folder)
    finally {
      Files.list(folder).iterator().asScala.toList.foreach(Files.delete)
      Files.delete(folder)
    }
  }

  private def writeRows(folder: Path, row: String): Path = Files.write(
    folder.resolve("rows"),
    s"""["$row",null,null,null,null,null,null,null,null,null]\n""".getBytes(UTF_8)
  )

  private def encode(rows: Path, target: Path): Unit = {
    val written =
      FormatBridge.encode("rdf_patch", rows.toString, target.toString, java.util.Map.of())
    assert(written == 1)
  }

  test("a file is complete at any time while it is replaced") {
    inFolder { folder =>
      val target = folder.resolve("file")
      val rows = writeRows(folder, "END")
      encode(rows, target)
      val isOver = new AtomicBoolean
      val looks, missing, partial = new AtomicInteger
      val looking = new Thread(() =>
        while (!isOver.get) {
          looks.incrementAndGet()
          try if (Files.readString(target) != "Z .\n") partial.incrementAndGet()
          catch { case _: NoSuchFileException => missing.incrementAndGet() }
        }
      )
      looking.start()
      // Until there were enough looks, however many processors the threads have.
      try while (looks.get < 3000) encode(rows, target)
      finally {
        isOver.set(true)
        looking.join()
      }
      assert(missing.get == 0 && partial.get == 0, s"of $looks looks")
      assert(Files.list(folder).count() == 2)
    }
  }

  test("a file that is replaced passes its permissions on, and a link stays a link") {
    inFolder { folder =>
      val rows = writeRows(folder, "END")
      val link = folder.resolve("link")
      val target = Files.createFile(folder.resolve("file"))
      Files.createSymbolicLink(link, target.getFileName)
      for (permissions <- Seq("rw-------", "rw-rw-rw-", "r--r--r--", "rwxr-xr-x")) {
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(permissions))
        encode(rows, link)
        assert(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)) == permissions)
      }
      assert(Files.isSymbolicLink(link) && Files.readString(target) == "Z .\n")
    }
  }

  test("a failure leaves the file as it was") {
    inFolder { folder =>
      val target = folder.resolve("file")
      encode(writeRows(folder, "END"), target)
      intercept[JellySparkException](encode(writeRows(folder, "A"), target))
      assert(Files.readString(target) == "Z .\n")
      assert(Files.list(folder).count() == 2)
    }
  }
}
