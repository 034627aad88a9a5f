package org.jellyspark.source

import java.io.ByteArrayInputStream
import java.nio.charset.StandardCharsets.US_ASCII

import org.apache.spark.util.LongAccumulator
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.MalformedInputException
import org.jellyspark.core.Logged
import org.jellyspark.source.files.FileHead

class MalformedRowHandlerSuite extends AnyFunSuite {
  private def handler(dropped: LongAccumulator) =
    new MalformedRowHandler(areKept = false, corruptColumn = null, skipsRows = true, dropped)

  private val head =
    new FileHead("rdf_patch", () => new ByteArrayInputStream("TX .\n".getBytes(US_ASCII)))

  private val error = MalformedInputException.inLine("file:/log.rdfp", 24, 2, 3, "this", "that")

  test("what is dropped is logged with keys and values, as Spark's structured log has them") {
    val events =
      Logged.by[MalformedRowHandler](assert(handler(new LongAccumulator).drop(error, head)))
    assert(events.length == 1)
    val event = events.head
    assert(event.getLevel.name == "WARN")
    val text = "Dropped a malformed row: file:/log.rdfp: line 3 (row 2, byte 24): " +
      "expected this, found that"
    assert(event.getMessage.getFormattedMessage == text)
    val context = event.getContextData
    assert(context.getValue[String]("path") == "file:/log.rdfp")
    assert(context.getValue[String]("offset") == "24")
  }

  test("all is counted, but not all is logged") {
    val dropped = new LongAccumulator
    val one = handler(dropped)
    val events = Logged.by[MalformedRowHandler]((1 to 1000).foreach(_ => one.drop(error, head)))
    assert(events.length == 100 && dropped.value == 1000)
    assert(events.last.getMessage.getFormattedMessage.endsWith("counted, but not logged"))
  }
}
