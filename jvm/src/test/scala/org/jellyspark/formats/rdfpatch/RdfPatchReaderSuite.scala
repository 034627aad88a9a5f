package org.jellyspark.formats.rdfpatch

import java.io.{ByteArrayInputStream, IOException, InputStream, SequenceInputStream}
import java.nio.charset.StandardCharsets.UTF_8

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.MalformedInputException
import org.jellyspark.core.{OneByteStream, RowValue}
import org.jellyspark.core.errors.{CorruptInputException, RowLimit}
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.rows.Row.NoNumber
import org.jellyspark.core.terms.{Iri, Literal}
import org.jellyspark.text.TextInput

class RdfPatchReaderSuite extends AnyFunSuite {

  private def records(text: String, strict: Boolean = false): Seq[Record] =
    ReadRecords.of(text.getBytes(UTF_8), strict = strict)

  private def numbers(text: String): Seq[Seq[Long]] = records(text).map(_.numbers)

  /** The codes of the rows; for malformed rows, their text. */
  private def codes(text: String, strict: Boolean = false): Seq[String] =
    records(text, strict).map {
      case Read(row, _)          => row.op.code
      case Malformed(text, _, _) => s"malformed: $text"
    }

  private def message(text: String, strict: Boolean = false): String =
    records(text, strict).collectFirst { case Malformed(_, message, _) => message }.get

  test("the ordinals of rows") {
    assert(
      numbers(
        "H k <v> .\nTX .\nA <s> <p> <o> .\nTC .\nZ .\nTA .\nTX .\nZ .\n@prefix a: <b:c> .\nZ .\n"
      )
        == Seq(
          Seq(0L, NoNumber, 0L),
          Seq(0L, 0L, 1L),
          Seq(0L, 0L, 2L),
          Seq(0L, 0L, 3L),
          Seq(0L, NoNumber, 4L),
          Seq(1L, NoNumber, 5L),
          Seq(1L, 1L, 6L),
          Seq(1L, 1L, 7L),
          Seq(2L, NoNumber, 8L)
        )
    )
  }

  test("a malformed row ends with its line, and reading resumes after it") {
    assert(codes("TX .\nA <s> .\nTC .\n") == Seq("TX", "malformed: A <s> .", "TC"))
    assert(codes("TX . what is it\r\nTC .") == Seq("TX", "malformed: what is it", "TC"))
    assert(
      codes("A <s> <p> <o>\nZ .\n") == Seq("malformed: A <s> <p> <o>", "END")
    )
    assert(codes("A <s> <p> '''\nZ .\n") == Seq("malformed: A <s> <p> '''", "END"))
    assert(codes("A <s>\n<p p> <o> .") == Seq("malformed: A <s>", "malformed: <p p> <o> ."))
    assert(codes("A <s> <p>\r\r\nZ .") == Seq("malformed: A <s> <p>\r", "END"))
    assert(codes("x") == Seq("malformed: x"))
  }

  test("malformed rows are counted by seq") {
    assert(
      numbers("TX .\nx\nZ .\n@prefix\nTC .\ny") == Seq(
        Seq(0L, 0L, 0L),
        Seq(0L, 0L, 1L),
        Seq(0L, 0L, 2L),
        Seq(1L, NoNumber, 3L),
        Seq(1L, NoNumber, 4L),
        Seq(1L, NoNumber, 5L)
      )
    )
    assert(message("TX .\n\n  x\n") == malformedCode("line 3 (row 1, byte 8)", "'x'"))
  }

  private def malformedCode(place: String, found: String): String =
    s"file: $place: expected a row code: H, TX, TC, TA, PA, PD, A, D or Z, found $found"

  test("R does not repeat a term from before a malformed row") {
    val rows = "A <s> <p> <o> <g> .\nA <s2> <p> .\n"
    assert(codes(rows + "A R R R .\n").last == "malformed: A R R R .")
    assert(codes(rows + "A <s> <p> <o> R .\n").last == "malformed: A <s> <p> <o> R .")
    assert(codes(rows + "A <s> <p> <o> .\nA R R R .\n").last == "A")
  }

  test("a malformed prefix declaration removes all prefixes") {
    val declared = "@prefix a: <http://a/> .\n@prefix b: <http://b/> .\n"
    assert(codes(declared + "x\nA a:s <p> <o> .\n").last == "A")
    assert(
      codes(declared + "@prefix a: <http://c/ .\nA a:s <p> <o> .\n").last.startsWith("malformed")
    )
  }

  test("the rules on transactions are checked in strict mode") {
    def found(text: String): String = message(text, strict = true).split(": ", 2).last
    assert(
      found(
        "TX .\nTX .\n"
      ) == "line 2 (row 1, byte 5): expected the transaction's TC or TA, found TX"
    )
    assert(
      found("TX .\n Z .\n").endsWith(
        "expected the transaction's TC or TA, found the end of the patch"
      )
    )
    assert(
      found(
        "TA .\n"
      ) == "line 1 (row 0, byte 0): expected a TX before a TA, found no open transaction"
    )
    assert(
      found("TX .\n# end\n") ==
        "line 3 (row 1, byte 11): expected the transaction's TC or TA, found the end of the input"
    )
    assert(codes("TC .\nTX .\nTC .\n", strict = true) == Seq("malformed: TC .", "TX", "TC"))
    assert(codes("TX .\n", strict = true) == Seq("TX", "malformed: "))
    assert(codes("TC .\nTX .\n") == Seq("TC", "TX"))
  }

  test("next returns false again after the end") {
    val reader = TextCases.reader("TX .".getBytes(UTF_8))
    assert(reader.next() && !reader.next() && !reader.next())
  }

  test("repeated terms are the same objects") {
    val reader = TextCases.reader("A <s> <p> <o> .\nA <o> <p> <s> .\n".getBytes(UTF_8))
    reader.next()
    val (s, p, o) = (reader.row.subject, reader.row.predicate, reader.row.obj)
    reader.next()
    assert((reader.row.subject eq o) && (reader.row.predicate eq p) && (reader.row.obj eq s))
  }

  test("a stream may return one byte at a time") {
    TextCases.names.foreach { name =>
      val reader = RdfPatch.reader(strict = false).open(OneByteStream(TextCases.text(name)), name)
      val rows = Iterator.continually(reader).takeWhile(_.next()).map(r => RowValue.of(r.row)).toSeq
      assert(rows.map(TextCases.line) == TextCases.rows(name))
    }
  }

  test("rows may be longer than the buffer") {
    val long = "x" * 1000000
    val text = s"A <s> <p> \"$long\" .\n" + s"A <$long> <p> '''$long''' .\n" + "TX .\n" * 100000
    val rows = TextCases.read(text.getBytes(UTF_8))
    assert(rows.length == 100002 && rows.take(2).map(_.obj).forall(_ == Literal.simple(long)))
    assert(rows(1).subject == Iri(long))
  }

  test("memory does not grow with the file, nor with comments and blank lines") {
    val rows = new Repeated("A <s> <p> 1 . # the comment \n\n \n".getBytes(UTF_8), 1L << 26)
    val comment = new Repeated("#".getBytes(UTF_8), 1L << 26)
    Seq(rows, comment).foreach { bytes =>
      val text = new TextInput(bytes, RowLimit.Default)
      val atFirst = text.buffer.length
      val parser = new RowParser(text, strict = false, RowLimit.Default)
      val row = new Row
      text.skipBlank()
      while (text.peek >= 0) {
        text.beginRow()
        parser.parse(row, makesTerms = true)
        text.endRow()
        text.skipBlank()
      }
      assert(text.offset == 1L << 26 && text.buffer.length == atFirst)
    }
  }

  test("the rest of a malformed row's line is read only if reading resumes") {
    val line = new Repeated("A <s> oops ".getBytes(UTF_8), 1L << 23)
    val file = new SequenceInputStream(line, new ByteArrayInputStream("\nTX .\n".getBytes(UTF_8)))
    val reader = RdfPatch.reader(strict = false).open(file, "file")
    assertThrows[MalformedInputException](reader.next())
    assert(line.position <= (1 << 17))
    assert(reader.next() && reader.row.op == RowOp.TransactionStart && reader.row.seq == 1)
    assert(line.position == (1 << 23) && reader.malformedRow.length == (1 << 23))
  }

  test("damaged compressed input is a malformed row, after which the file ends") {
    val damaged = new InputStream {
      private val start = new ByteArrayInputStream("TX .\nTC .\nA <s> ".getBytes(UTF_8))
      override def read(): Int = throw new UnsupportedOperationException
      override def read(to: Array[Byte], from: Int, count: Int): Int = {
        val read = start.read(to, from, count)
        if (read < 0) throw new CorruptInputException(new IOException("bad block")) else read
      }
    }
    val reader = RdfPatch.reader(strict = false).open(damaged, "file")
    assert(reader.next() && reader.next())
    val error = intercept[MalformedInputException](reader.next())
    assert(
      error.getMessage ==
        "file: line 3 (row 2, byte 10): expected undamaged compressed input, found bad block"
    )
    assert(reader.malformedRow == "A <s> " && !reader.next())
  }
}

/** The same bytes repeated up to a length. */
private final class Repeated(bytes: Array[Byte], length: Long) extends InputStream {
  private[this] var pos = 0L

  def position: Long = pos

  override def read(): Int = throw new UnsupportedOperationException

  override def read(to: Array[Byte], from: Int, count: Int): Int = {
    val n = math.min(count.toLong, length - pos).toInt
    (0 until n).foreach(i => to(from + i) = bytes(((pos + i) % bytes.length).toInt))
    pos += n
    if (n == 0) -1 else n
  }
}
