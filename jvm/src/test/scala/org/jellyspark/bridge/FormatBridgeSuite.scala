package org.jellyspark.bridge

import java.nio.file.Files
import java.util.{Map => JavaMap}

import scala.jdk.CollectionConverters._

import org.jellyspark.OptionException
import org.scalatest.funsuite.AnyFunSuite

class FormatBridgeSuite extends AnyFunSuite {

  /** The rows that are read after `lines` were written. */
  private def roundTrip(lines: String*): Seq[String] = {
    val folder = Files.createTempDirectory("jelly-spark")
    val rows = folder.resolve("rows")
    val file = folder.resolve("file")
    val found = folder.resolve("found")
    try {
      Files.write(rows, lines.asJava)
      WritingBridge.encode("jelly_patch", rows.toString, file.toString, JavaMap.of())
      FormatBridge.decode("jelly_patch", file.toString, "file", found.toString, JavaMap.of())
      Files.readAllLines(found).asScala.toSeq
    } finally {
      Seq(rows, file, found).foreach(Files.deleteIfExists)
      Files.delete(folder)
    }
  }

  test("rows of every op survive a round trip") {
    val lines = Seq(
      """["H",null,null,null,null,"k","<<( <s> _:p \"o\\n\"@en )>>",0,null,0]""",
      """["TX",null,null,null,null,null,null,0,0,1]""",
      """["PA",null,null,null,"<g>","","<http://a/>",0,0,2]""",
      """["PD",null,null,null,"<g>","n",null,0,0,3]""",
      """["A","<s>","<p>","\"é😀\"^^<d>",null,null,null,0,0,4]""",
      """["D","<s>","<p>","\"\"","\"g\"",null,null,0,0,5]""",
      """["TC",null,null,null,null,null,null,0,0,6]""",
      """["END",null,null,null,null,null,null,0,null,7]""",
      """["TX",null,null,null,null,null,null,1,1,8]""",
      """["TA",null,null,null,null,null,null,1,1,9]"""
    )
    assert(roundTrip(lines: _*) == lines)
  }

  test("terms become canonical, and missing numbers are filled in") {
    val line =
      """["A", "<\\u0061>", "<<<s><p><o>>>", "\"\\u00e9\"", null, null, null, null, null, null]"""
    val canonical = """["A","<a>","<<( <s> <p> <o> )>>","\"é\"",null,null,null,0,null,0]"""
    assert(roundTrip(line) == Seq(canonical))
  }

  test("a format that does not exist") {
    val error = intercept[OptionException](FormatBridge.engines("x"))
    assert(error.getMessage == "no format is called 'x'")
  }
}
