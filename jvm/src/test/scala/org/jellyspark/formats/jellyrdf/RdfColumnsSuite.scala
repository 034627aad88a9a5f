package org.jellyspark.formats.jellyrdf

import org.scalacheck.Gen

import org.jellyspark.core.{ByteGenerators, PropertySuite}
import org.jellyspark.jelly.ColumnReading

class RdfColumnsSuite extends PropertySuite {

  private val readOptions =
    Gen.oneOf("true", "false").map(namespaces => Map("namespaces" -> namespaces))

  test("batches hold the requested columns and rows") {
    forAll(for {
      options <- readOptions
      (writeOptions, rows) <- RdfGenerators.cases
      request <- ColumnReading.request(JellyRdf.columns(options), rows)
    } yield (options, writeOptions, rows, request)) { case (options, writeOptions, rows, request) =>
      ColumnReading.check(JellyRdf, RdfBytes.write(rows, writeOptions), options, request)
    }
  }

  test("batches and rows agree on damaged files") {
    val random = new scala.util.Random(1)
    forAll(RdfGenerators.cases, readOptions, Gen.oneOf("true", "false")) {
      case ((writeOptions, rows), options, strict) =>
        val bytes = RdfBytes.write(rows, writeOptions)
        (1 to 20).foreach { _ =>
          val damaged = ByteGenerators.damaged(bytes, random)
          ColumnReading.checkDamaged(JellyRdf, damaged, options + ("strict" -> strict))
        }
    }
  }
}
