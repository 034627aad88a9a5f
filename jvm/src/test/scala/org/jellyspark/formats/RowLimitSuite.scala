package org.jellyspark.formats

import java.io.{ByteArrayInputStream, InputStream, SequenceInputStream}
import java.nio.charset.StandardCharsets.UTF_8

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.{JellySparkException, MalformedInputException}
import org.jellyspark.core.formats.{BatchRequest, RowFormat}
import org.jellyspark.core.rows.{Column, RowFilter}
import org.jellyspark.core.terms.TermValues
import org.jellyspark.formats.jellypatch.{JellyPatch, PatchBytes}
import org.jellyspark.formats.jellyrdf.{JellyRdf, JellyRdfFields, RdfBytes}
import org.jellyspark.formats.ntriples.NQuadsFormat
import org.jellyspark.formats.rdfpatch.RdfPatch
import org.jellyspark.formats.rdfpatchthrift.RdfPatchThrift
import org.jellyspark.jelly.ColumnReading
import org.jellyspark.jelly.ColumnReading.MemoryFile
import org.jellyspark.jelly.WireBytes._

/** The option `maxRowSize`. */
class RowLimitSuite extends AnyFunSuite {
  import JellyRdfFields.Kind

  private val formats = List(JellyPatch, JellyRdf, NQuadsFormat, RdfPatch, RdfPatchThrift)

  private def reason(limit: Long) =
    s"expected a row of at most $limit bytes (option maxRowSize), found a longer one"

  /** The number of rows before the end of a file, or before the error that it has. */
  private def read(
      format: RowFormat,
      bytes: InputStream,
      options: (String, String)*
  ): (Int, Option[String]) = {
    val reader = format.reader(options.toMap).open(bytes, "file")
    var count = 0
    try {
      while (reader.next()) count += 1
      (count, None)
    } catch { case e: MalformedInputException => (count, Some(e.getMessage)) }
  }

  /** As [[read]], with a limit. Reading columns must give the same. */
  private def readUpTo(limit: Int, format: RowFormat, bytes: Array[Byte]): (Int, Option[String]) = {
    val options = Map("maxRowSize" -> limit.toString)
    val found = read(format, new ByteArrayInputStream(bytes), options.toSeq: _*)
    ColumnReading.checkDamaged(format, bytes, options)
    (found._1, found._2.map(_.replaceFirst("^file: .*?: ", "")))
  }

  /** Asserts that the rows are read with a limit, and the last one not with the next lower limit.
    */
  private def checkLimit(format: RowFormat, bytes: Array[Byte], rows: Int, limit: Int): Unit = {
    assert(readUpTo(limit, format, bytes) == ((rows, None)))
    assert(readUpTo(limit - 1, format, bytes) == ((rows - 1, Some(reason(limit - 1L)))))
    ()
  }

  private def triple(terms: Array[Byte]*): Array[Byte] = field(Kind.Triple, terms: _*)

  private def jelly(rows: Array[Byte]*): Array[Byte] =
    frame(RdfBytes.options(physical = 1, generalized = true, rdfStar = true) +: rows: _*)

  private val long = "x" * 5000

  test("it is a whole number from 1 to 2147483647") {
    formats.foreach { format =>
      List("0", "2147483648", "x").foreach { value =>
        val error = intercept[JellySparkException](format.reader(Map("MaxRowSize" -> value)))
        assert(
          error.getMessage.startsWith("maxRowSize must be a whole number from 1 to 2147483647")
        )
      }
      format.reader(Map("maxrowsize" -> "2147483647"))
    }
  }

  test("Jelly: the terms of a row, also those that it repeats") {
    val rows = jelly(
      triple(text(2, "s"), text(6, "p"), text(10, "o")),
      triple(text(6, long)),
      triple(field(11, text(1, "\"" * 20)))
    )
    // _:s _:x… "\"…"
    checkLimit(JellyRdf, rows, 3, 3 + 5002 + 42)
  }

  test("Jelly: IRIs, of short rows with long entries") {
    val rows = jelly(
      field(Kind.Prefix, text(2, long)),
      field(Kind.Name, text(2, "name")),
      field(Kind.Name, text(2, "others")),
      triple(field(1, number(1, 1), number(2, 1)), field(5, number(2, 1)), field(9, number(2, 1))),
      triple(field(9, number(2, 2)))
    )
    checkLimit(JellyRdf, rows, 2, 3 * 5006 + 2)
  }

  test("Jelly: literals of a long datatype") {
    def literal(position: Int, lexical: String) =
      field(position, text(1, lexical), number(3, 1))
    val rows = jelly(
      field(Kind.Datatype, text(2, long)),
      triple(literal(3, "s"), text(6, "p"), literal(11, "o")),
      triple(literal(3, "ss"), literal(11, "oo"))
    )
    // "ss"^^<…> _:p "oo"^^<…>
    checkLimit(JellyRdf, rows, 2, 2 * (4 + 4 + 5000) + 3)
  }

  test("Jelly: triple terms") {
    def nested(depth: Int): Array[Byte] =
      if (depth == 0) text(2, "s" * 100)
      else field(4, nested(depth - 1), text(6, "p" * 100), text(10, "o" * 100))
    val rows =
      jelly(triple(text(2, "s"), text(6, "p"), text(10, "o")), triple(nested(20)))
    checkLimit(JellyRdf, rows, 2, 20 * (2 * 102 + 10) + 102 + 6)
  }

  test("Jelly: a row in the file") {
    val rows = jelly(triple(text(2, "s"), text(6, "p"), text(10, "o")), field(100, text(1, long)))
    val length = field(100, text(1, long)).length
    assert(readUpTo(length, JellyRdf, rows)._2.get.contains("without a known field"))
    assert(readUpTo(length - 1, JellyRdf, rows) == ((1, Some(reason(length - 1L)))))
  }

  test("text: a row in the file, and the terms of a row") {
    def file(rows: String): Array[Byte] = rows.getBytes(UTF_8)
    checkLimit(RdfPatch, file(s"TX .\nA <s> <p> <$long> .\n"), 2, 5014)
    checkLimit(RdfPatch, file(s"A _:s _:p _:o .\nA _:s _:p 1 .\n"), 2, 6 + 47)
    checkLimit(RdfPatch, file(s"@prefix p: <x:$long> .\nTX .\nA p:s p:p p:o .\n"), 2, 3 * 5005)
    val (open, close) = (s"<<_:${"s" * 70} _:${"p" * 70} ", ">>")
    val nested = file(s"A _:s _:p _:o .\nH name ${open * 9}1${close * 9} .\n")
    checkLimit(RdfPatch, nested, 2, 4 + 9 * (2 * 72 + 10) + 47)
  }

  test("lines: a row in the file, and the terms of a row") {
    def file(rows: String): Array[Byte] = rows.getBytes(UTF_8)
    val comment = "#" * 1000
    checkLimit(NQuadsFormat, file(s"$comment\n<a:s> <a:p> _:$long . $comment\n"), 1, 16 + 5000)
    checkLimit(NQuadsFormat, file(s"_:b <a:p> _:b .\n  _:b <a:p> _:bc .$comment\n"), 2, 16)
    val (open, close) = ("<<<a:s><a:p>", ">>")
    val nested = file(s"<a:s> <a:p> ${open * 20}<a:o>${close * 20} .\n")
    checkLimit(NQuadsFormat, nested, 1, (2 * 20 + 1) * 64)
  }

  test("Jelly-Patch and Thrift: the names and values of rows") {
    val header = field(14, text(1, "né"), field(4, text(1, "\"" * 2500)))
    val patch = frame(PatchBytes.options(), field(6), header)
    checkLimit(JellyPatch, patch, 2, 3 + 5002)
    // A header's name is field 1, its value field 2; a literal is field 3 of a term.
    val thrift = hex("6504 00") ++ hex("1c 1803") ++ "né".getBytes(UTF_8) ++
      hex("1c 3c 18") ++ varint(5000) ++ long.getBytes(UTF_8) ++ hex("00 00 00 00")
    assert(readUpTo(thrift.length - 3, RdfPatchThrift, thrift) == ((2, None)))
    assert(
      readUpTo(thrift.length - 4, RdfPatchThrift, thrift)._2.contains(reason(thrift.length - 4L))
    )
  }

  /** A stream that never ends, and how much of it was read. */
  private final class Endless(byte: Char) extends InputStream {
    var count = 0L

    override def read(): Int = byte.toInt

    override def read(bytes: Array[Byte], from: Int, length: Int): Int = {
      java.util.Arrays.fill(bytes, from, from + length, byte.toByte)
      count += length
      length
    }
  }

  private val options = RdfBytes.options(physical = 1)
  private val huge = List((1L << 31) - 1, 1L << 31, 1L << 32, Long.MaxValue, Long.MinValue)

  private def errorOf(
      format: RowFormat,
      head: Array[Byte],
      byte: Char,
      most: Long,
      options: (String, String)*
  ): String = {
    val rest = new Endless(byte)
    val file = new SequenceInputStream(new ByteArrayInputStream(head), rest)
    val (_, error) = read(format, file, options: _*)
    assert(rest.count <= most)
    error.get
  }

  test("Jelly: lengths near 2 GiB and above are errors before anything is read for them") {
    val limit = 1L << 26
    huge.foreach { length =>
      val inFrame = varint((1L << 31) - 1) ++ rows(options) ++ varint(10) ++ varint(length)
      val error = errorOf(JellyRdf, inFrame, 'x', 1 << 17)
      assert(error.contains("a row that ends within its frame"), length)
      val undelimited = rows(options) ++ varint(10) ++ varint(length)
      val row = errorOf(JellyRdf, undelimited, 'x', 1 << 17)
      if (length > 0 && length < Long.MaxValue) assert(row.contains(reason(limit)), length)
      else assert(row.contains("a row that ends within its frame"))
      if (length != huge.head) {
        val frameError = errorOf(JellyRdf, varint(length) ++ rows(options), 'x', 1 << 17)
        assert(frameError.contains("a frame of at most 2147483647 bytes"), length)
      }
      // The lexical form of a literal.
      val inRow = varint(10) ++ varint(length) ++ hex("7878")
      val text = jelly(field(Kind.Triple, field(11, inRow)))
      val textError = errorOf(JellyRdf, text, 'x', 1 << 17)
      assert(textError.contains("expected a well-formed row"), length)
    }
  }

  test("text and Thrift: what does not end is an error at the limit") {
    val limit = 1L << 26
    List("A <", "A \"", "H x '''", "H x y:", "TX #").foreach { head =>
      val options = Seq("maxRowSize" -> (1 << 20).toString)
      val most = (1L << 20) + (1L << 17)
      val error = errorOf(RdfPatch, head.getBytes(UTF_8), 'x', most, options: _*)
      assert(error.contains(reason(1 << 20)), head)
    }
    List("<a:", "<a:s> <a:p> \"", "_:").foreach { head =>
      val error = errorOf(NQuadsFormat, head.getBytes(UTF_8), 'x', 2 * limit)
      assert(error.contains(reason(limit)), head)
    }
    // The name of a header.
    List((1L << 30) - 1, 1L << 26).foreach { length =>
      val error = errorOf(RdfPatchThrift, hex("1c 18") ++ varint(length), 'x', limit * 2)
      assert(error.contains(reason(limit)), length)
    }
    huge.foreach { length =>
      val error = errorOf(RdfPatchThrift, hex("1c 18") ++ varint(length), 'x', 1 << 17)
      assert(error.contains("a string of at most") || error.contains("a varint of at most"), length)
    }
  }

  test("a file with a row of the longest limit is not refused for its length alone") {
    val file = rows(options) ++ varint(10) ++ varint((1L << 31) - 100) ++ hex("0a")
    val (_, error) =
      read(JellyRdf, new ByteArrayInputStream(file), "maxRowSize" -> Int.MaxValue.toString)
    assert(error.get.contains("the end of the input"))
  }

  test("lookup entries have a limit together") {
    val entry = field(Kind.Prefix, text(2, "x" * (1 << 20)))
    val head = varint((1L << 31) - 1) ++ rows(RdfBytes.options(1, tables = Seq(8, 1000, 8)))
    var count = 0
    val parts = Iterator.continually {
      count += 1
      new ByteArrayInputStream(if (count == 1) head else rows(entry)): InputStream
    }
    val file = new SequenceInputStream(parts.asJavaEnumeration)
    val (_, error) = read(JellyRdf, file)
    assert(
      error.get.contains(
        "lookup entries of at most 33554432 bytes together (half of option maxRowSize)"
      )
    )
    assert(count < 40)
  }

  test("a batch ends when the texts that were made for it are long") {
    val prefix = "x" * 400000
    val names = (1 to 200).map(i => field(Kind.Name, number(1, i.toLong), text(2, s"$i")))
    val statements = (1 to 200).map { i =>
      val iri = number(2, i.toLong)
      triple(field(1, number(1, 1), iri), field(5, iri), field(9, iri))
    }
    val file = frame(
      RdfBytes.options(1, tables = Seq(200, 8, 8)) +: field(Kind.Prefix, text(2, prefix)) +:
        (names ++ statements): _*
    )
    val request =
      BatchRequest(Set[Column](Column.Subject, Column.Object), RowFilter.All, TermValues)
    val reader = JellyRdf
      .batchReader(Map.empty, request)
      .open(
        new MemoryFile(file),
        org.jellyspark.core.formats.FilePart.Whole
      )
    val sizes = Iterator.continually(reader.next()).takeWhile(_ != null).map(_.size).toList
    assert(sizes.sum == 200)
    assert(sizes.max <= 20)
  }
}
