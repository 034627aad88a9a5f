package org.jellyspark.formats.jellyrdf

import org.scalacheck.Gen

import org.jellyspark.core.PropertySuite
import org.jellyspark.jelly.ColumnReading

class RdfColumnsSuite extends PropertySuite {

  private val readOptions =
    Gen.oneOf("true", "false").map(namespaces => Map("namespaces" -> namespaces))

  test("the columns and rows that are asked for") {
    forAll(for {
      options <- readOptions
      (writeOptions, rows) <- RdfGenerators.cases
      request <- ColumnReading.request(JellyRdf.columns(options), rows)
    } yield (options, writeOptions, rows, request)) { case (options, writeOptions, rows, request) =>
      ColumnReading.check(JellyRdf, RdfBytes.write(rows, writeOptions), options, request)
    }
  }

  test("damage") {
    val random = new scala.util.Random(1)
    forAll(RdfGenerators.cases, readOptions, Gen.oneOf("true", "false")) {
      case ((writeOptions, rows), options, strict) =>
        val bytes = RdfBytes.write(rows, writeOptions)
        (1 to 20).foreach { _ =>
          val damaged = bytes.clone()
          if (bytes.nonEmpty) {
            (0 to random.nextInt(3)).foreach(_ =>
              damaged(random.nextInt(bytes.length)) = random.nextInt(256).toByte
            )
          }
          ColumnReading.checkDamaged(JellyRdf, damaged, options + ("strict" -> strict))
        }
    }
  }
}
