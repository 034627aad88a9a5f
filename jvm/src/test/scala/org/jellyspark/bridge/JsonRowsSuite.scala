package org.jellyspark.bridge

import java.io.{BufferedReader, BufferedWriter, ByteArrayInputStream, ByteArrayOutputStream}
import java.io.{StringReader, StringWriter}

import org.jellyspark.UnwritableRowException
import org.jellyspark.formats.jellypatch.JellyPatch
import org.scalatest.funsuite.AnyFunSuite

class JsonRowsSuite extends AnyFunSuite {

  private val rowLines = new JsonRows(JellyPatch)
  private val none = Map.empty[String, String]

  private def encode(lines: String*): Array[Byte] = {
    val out = new ByteArrayOutputStream
    val in = new BufferedReader(new StringReader(lines.map(_ + "\n").mkString))
    assert(rowLines.encode(in, JellyPatch.writer(none).open(out)) == lines.length.toLong)
    out.toByteArray
  }

  private def decode(bytes: Array[Byte]): Seq[String] = {
    val out = new StringWriter
    val count = rowLines.decode(
      JellyPatch.reader(none).open(new ByteArrayInputStream(bytes), "file"),
      new BufferedWriter(out)
    )
    val lines = out.toString.split("\n").toSeq
    assert(lines.length.toLong == count)
    lines
  }

  test("rows of every op survive a round trip") {
    val lines = Seq(
      """["H",null,null,null,null,"k","<< <s> _:p \"o\\n\"@en >>",0,null,0]""",
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
    assert(decode(encode(lines: _*)) == lines)
  }

  test("terms become canonical, and missing numbers are filled in") {
    val line =
      """["A", "<\\u0061>", "<<<s><p><o>>>", "\"\\u00e9\"", null, null, null, null, null, null]"""
    val canonical = """["A","<a>","<< <s> <p> <o> >>","\"é\"",null,null,null,0,null,0]"""
    assert(decode(encode(line)) == Seq(canonical))
  }

  test("a line that is not a row is refused with its content") {
    Seq(
      "",
      "{}",
      "[]",
      """["A"]""",
      """["X",null,null,null,null,null,null,null,null,null]""",
      """["a",null,null,null,null,null,null,null,null,null]""",
      """[null,null,null,null,null,null,null,null,null,null]""",
      """["TX",null,null,null,null,null,null,"0",null,null]""",
      """["TX",null,null,null,null,null,null,1.5,null,null]""",
      """["TX",null,null,null,null,null,null,9223372036854775808,null,null]""",
      """["TX",null,null,null,null,null,null,null,null,null,null]""",
      """["H",null,null,null,null,"k","no term",null,null,null]""",
      """["H",null,null,null,null,7,"<v>",null,null,null]"""
    ).foreach { line =>
      val error = withClue(line)(intercept[UnwritableRowException](encode(line)))
      assert(error.row.startsWith("{"))
    }
  }
}
