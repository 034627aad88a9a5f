package org.jellyspark.formats.ntriples

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import org.apache.jena.riot.RDFDataMgr
import org.apache.jena.vocabulary.RDF
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.MalformedInputException
import org.jellyspark.core.RowValue
import org.jellyspark.core.formats.RowFormat
import org.jellyspark.jelly.ColumnReading

/** The test suites of the W3C for N-Triples and N-Quads, which are among the data that checkouts
  * share.
  */
class W3cSuite extends AnyFunSuite {
  private val suites =
    Paths.get(sys.env.getOrElse("JELLY_SPARK_SHARED", "../shared"), "conformance", "w3c")

  /** The files of a suite, and whether they are valid. */
  private def cases(folder: Path): Seq[(Path, Boolean)] = {
    val manifest = RDFDataMgr.loadModel(folder.resolve("manifest.ttl").toUri.toString)
    val namespace = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
    manifest
      .listSubjectsWithProperty(manifest.createProperty(namespace, "action"))
      .asScala
      .map { test =>
        val file = test.getPropertyResourceValue(manifest.createProperty(namespace, "action"))
        val kind = test.getPropertyResourceValue(RDF.`type`).getLocalName
        assert(kind.startsWith("TestN"))
        (folder.resolve(Paths.get(file.getURI).getFileName.toString), kind.contains("Positive"))
      }
      .toSeq
  }

  private def run(format: RowFormat, folder: String, count: Int): Unit =
    for (options <- Seq(Map.empty[String, String], Map("strict" -> "true"))) {
      assume(Files.isDirectory(suites), "no shared data: set JELLY_SPARK_SHARED")
      val files = cases(suites.resolve(folder))
      assert(files.length == count)
      files.foreach { case (file, isValid) =>
        val bytes = Files.readAllBytes(file)
        ColumnReading.checkDamaged(format, bytes, options)
        val isRead =
          try {
            RowValue.read(bytes, format.reader(options))
            true
          } catch { case _: MalformedInputException => false }
        assert(isRead == isValid, file)
      }
    }

  test("N-Triples") {
    run(NTriplesFormat, "n-triples", 70)
  }

  test("N-Quads") {
    run(NQuadsFormat, "n-quads", 87)
  }
}
