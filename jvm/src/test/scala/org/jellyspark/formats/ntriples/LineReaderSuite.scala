package org.jellyspark.formats.ntriples

import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable

import org.scalacheck.Gen

import org.jellyspark.MalformedInputException
import org.jellyspark.core.{PropertySuite, RowValue}
import org.jellyspark.core.formats.{FilePart, RowFormat}
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.terms._
import org.jellyspark.jelly.ColumnReading
import org.jellyspark.text.CanonicalTerms

class LineReaderSuite extends PropertySuite {

  private def utf8(text: String): Array[Byte] = text.getBytes(UTF_8)

  private def parts(ends: Seq[Int], length: Int): Seq[FilePart] = {
    val bounds = 0L +: ends.map(_.toLong).sorted :+ length.toLong
    bounds.zip(bounds.tail).map { case (start, end) => FilePart(start, end) }
  }

  test("lines are read as columns and as rows") {
    forAll(Lines.file) { case (bytes, rows) =>
      assert(Lines.read(bytes) == rows.map(Right(_)))
      assert(Lines.readRows(bytes) == rows.map(Right(_)))
    }
  }

  test("the parts of a file have its rows, each once, wherever it is split") {
    val cases = for {
      (bytes, rows) <- Lines.file
      count <- Gen.choose(1, 20)
      ends <- Gen.listOfN(count, Gen.choose(0, bytes.length))
    } yield (bytes, rows, ends)
    forAll(cases) { case (bytes, rows, ends) =>
      val all = parts(ends, bytes.length)
      assert(all.flatMap(Lines.read(bytes, _)) == rows.map(Right(_)))
      assert(all.filterNot(_.isEmpty).flatMap { part =>
        Lines.readRows(bytes, part)
      } == rows.map(Right(_)))
    }
  }

  test("a file can be split at any byte") {
    val text = "\ufeff<a:s> <a:p> <a:o> . # é\r\n\r\n_:b <a:p> \"x\\u0041\" _:g .\r" +
      "# c\n\n<a:s> <a:p> \"é\" .\nno row\n<a:s> <a:p> <a:o> ."
    val bytes = utf8(text)
    val whole = Lines.read(bytes)
    assert(whole.length == 5 && whole(3) == Left("no row"))
    (0 to bytes.length).foreach { at =>
      assert(parts(Seq(at), bytes.length).flatMap(Lines.read(bytes, _)) == whole, at)
    }
  }

  test("rows that span blocks") {
    val statements = Gen.listOfN(3000, Lines.statement)
    val long = Gen.oneOf(100, 200000, 300000, 1000000).map { n =>
      val lex = "é" * n
      val row = RowValue(RowOp.Add, Iri("a:s"), Iri("a:p"), Literal.simple(lex))
      Seq((s"<a:s> <a:p> \"$lex\" .\n", Some(row)), ("#" + "c" * n + "\n", None))
    }
    forAll(Gen.zip(statements, long, statements), minSuccessful(5)) { case (first, long, last) =>
      val lines = first ++ long ++ last
      val bytes = utf8(lines.map(_._1).mkString)
      val rows = lines.flatMap(_._2).map(Right(_))
      assert(Lines.read(bytes) == rows)
      assert(Lines.readRows(bytes) == rows)
      val ends = (1 to 9).map(_ * bytes.length / 10)
      assert(parts(ends, bytes.length).flatMap(Lines.read(bytes, _)) == rows)
    }
  }

  test("columns are left out, and rows filtered") {
    val cases = for {
      (bytes, rows) <- Lines.file
      request <- ColumnReading.request(NQuadsFormat.columns(Map.empty), rows)
    } yield (bytes, request)
    forAll(cases) { case (bytes, request) =>
      ColumnReading.check(NQuadsFormat, bytes, Map.empty, request)
    }
  }

  private val escaped: Gen[String] = {
    val unicode = Gen.choose(0, 0x11ffff).map { c =>
      if (c < 0x10000) f"\\u$c%04X" else f"\\U$c%08x"
    }
    val piece = Gen.frequency(
      60 -> Gen.oneOf("x", " ", "é", "😀", " .", "\t", "sixteen ASCII by"),
      60 -> Gen.oneOf("\\t", "\\b", "\\f", "\\'", "\\n", "\\r", "\\\"", "\\\\"),
      30 -> unicode,
      10 -> Gen.oneOf("\\u0000", "\\u000A", "\\u000d", "\\u0022", "\\U0000005C", "\\uFFFF"),
      1 -> Gen.oneOf("\\x", "\\u12", "\\U0001F60", "\\uD800", "\\U00110000", "\\", "\"", "\r")
    )
    val suffix =
      Gen.oneOf("", "", "@en", "@en--ltr", " @en", "^^<a:t>", "^^<a:\\u00e9>", " ", "@", "^")
    for {
      pieces <- Gen.listOf(piece)
      suffix <- suffix
    } yield pieces.mkString("\"", "", "\"") + suffix
  }

  test("literals with escapes become canonical as the parser makes them") {
    forAll(escaped, minSuccessful(2000)) { literal =>
      val bytes = utf8(s"$literal .\n") ++ new Array[Byte](CanonicalTerms.Slack)
      val end = CanonicalTerms.escapedLiteral(bytes, 0)
      Lines.readRows(utf8(s"<a:s> <a:p> $literal .\n")) match {
        case Seq(Right(row)) if end != CanonicalTerms.NotCanonical =>
          val canonical = new String(bytes, 0, CanonicalTerms.makeCanonical(bytes, 0, end), UTF_8)
          assert(canonical == NTriples.format(row.obj))
        case Seq(Right(_)) => assert(literal.matches("(?s).*(--ltr| @en|\\\\u00e9>)"), literal)
        case _             => succeed
      }
    }
  }

  test("lines with escapes are read as columns and as rows") {
    forAll(Gen.listOf(escaped), Gen.choose(0, 1000)) { (literals, at) =>
      val bytes = utf8(literals.map(literal => s"<a:s> <a:p> $literal <a:g> . # c\n").mkString)
      val (columnErrors, rowErrors) = (mutable.Buffer.empty[String], mutable.Buffer.empty[String])
      val rows = Lines.readRows(bytes, errors = rowErrors)
      assert(Lines.read(bytes, errors = columnErrors) == rows)
      assert(columnErrors == rowErrors)
      val split = parts(Seq(math.min(at, bytes.length)), bytes.length)
      assert(split.flatMap(Lines.read(bytes, _)) == rows)
    }
  }

  private val malformed = Seq(
    "no row",
    "<a:s> <a:p> <a:o>",
    "<a:s> <a:p> .",
    "<a:s> <a:p> \"o .",
    "<a:s> <a:p> <a:o> <a:g> <a:x> .",
    "é"
  )

  test("a malformed line is its own row, and does not disturb others") {
    val line = Gen.frequency(
      2 -> Gen.oneOf(malformed).map(text => (text + "\n", Left(text))),
      3 -> Lines.statement.map { case (text, row) => (text, Right(row.get)) }
    )
    forAll(Gen.listOf(line), Gen.choose(0, 1000)) { (lines, at) =>
      val bytes = utf8(lines.map(_._1).mkString)
      val (columnErrors, rowErrors) = (mutable.Buffer.empty[String], mutable.Buffer.empty[String])
      assert(Lines.read(bytes, errors = columnErrors) == lines.map(_._2))
      assert(Lines.readRows(bytes, errors = rowErrors) == lines.map(_._2))
      assert(columnErrors == rowErrors)
      val split = parts(Seq(math.min(at, bytes.length)), bytes.length)
      assert(split.flatMap(Lines.read(bytes, _)) == lines.map(_._2))
    }
  }

  private def errorOf(format: RowFormat, text: String, options: (String, String)*): String = {
    val bytes = utf8(text)
    ColumnReading.checkDamaged(format, bytes, options.toMap)
    intercept[MalformedInputException] {
      RowValue.read(bytes, format.reader(options.toMap))
    }.getMessage.stripPrefix("file: ")
  }

  private def check(text: String, expected: String, found: String): Unit = {
    val error = errorOf(NTriplesFormat, text)
    assert(error == s"line 1 (row 0, byte 0): expected $expected, found $found", text): Unit
  }

  test("errors say what was expected, and what was found") {
    check("oops <a:p> <a:o> .", "an IRI or a blank node", "'oops'")
    check("\"s\" <a:p> <a:o> .", "an IRI or a blank node", "'\"s\"'")
    check("<a:s> _:p <a:o> .", "an IRI", "'_:p'")
    check("<a:s> <a:p> 1 .", "an RDF term", "'1'")
    check("<a:s> <a:p> .", "an RDF term", "'.'")
    check("<a:s> <a:p> <a:o>", "'.'", "the end of the input")
    check("<a:s> <a:p> <a:o>\n", "'.'", "the end of the line")
    check("<a:s> <a:p> <a:o> <a:g> .", "'.'", "'<a:g>'")
    check("<a:s> <a:p> <a:o> . <a:s>", "the end of the line", "'<a:s>'")
    check("<s> <a:p> <a:o> .", "an absolute IRI", "'<s>'")
    check("<_:s> <a:p> <a:o> .", "an absolute IRI", "'<_:s>'")
    check("<a:s > <a:p> <a:o> .", "a character that an IRI may hold, or '>'", "' '")
    check("<a:{> <a:p> <a:o> .", "a character that an IRI may hold, or '>'", "'{'")
    check("<a:\\t> <a:p> <a:o> .", "an escape sequence", "'\\'")
    check("_: <a:p> <a:o> .", "a blank node label", "' '")
    check("_:a:b <a:p> <a:o> .", "an IRI", "':b'")
    check("<a:s> <a:p> \"o", "a character that a literal may hold, or '\"'", "the end of the input")
    check("<a:s> <a:p> 'o' .", "an RDF term", "''o''")
    check("<a:s> <a:p> \"o\"@1 .", "a language tag", "'1'")
    check("<a:s> <a:p> \"o\"@ar--up .", "a base direction, --ltr or --rtl", "'ar--up'")
    check("<a:s> <a:p> \"o\"@ar--rtl--ltr .", "a base direction, --ltr or --rtl", "'ar--rtl--ltr'")
    check("<a:s> <a:p> \"o\"@ar---rtl .", "a base direction, --ltr or --rtl", "'ar---rtl'")
    check("<a:s> <a:p> \"o\"@--rtl .", "a language tag", "'-'")
    check("<a:s> <a:p> \"o\"^<a:b> .", "'^^'", "'^<a:b>'")
    check("<a:s> <a:p> \"o\"^^a:b .", "the IRI of a datatype", "'a:b'")
    check("<a:s> <a:p> \"o\"^^<b> .", "an absolute IRI", "'<b>'")
    check("<< <a:s> <a:p> <a:o> > <a:p> <a:o> .", "'>>'", "'>'")
    check("<<( <a:s> <a:p> <a:o> >> <a:p> <a:o> .", "')>>'", "'>>'")
    val error = errorOf(NQuadsFormat, "<a:s> <a:p> <a:o> \"g\" .")
    assert(error.endsWith("expected a graph (an IRI or a blank node) or '.', found '\"g\"'"))
  }

  test("errors say where: the line, the row and the byte, or the byte alone") {
    val text = "# c\r\n<a:s> <a:p> <a:o> .\r\n  oops\n"
    assert(errorOf(NQuadsFormat, text).startsWith("line 3 (row 1, byte 28): "))
    val errors = mutable.Buffer.empty[String]
    Lines.read(utf8(text), FilePart(20, 100), errors = errors)
    assert(errors.toList.map(_.takeWhile(_ != 'e')) == List("fil"))
    assert(errors.head.startsWith("file: line at byte 28: expected an IRI or a blank node"))
  }

  test("text that is not UTF-8 is an error") {
    val bytes = utf8("<a:s> <a:p> \"") ++ Array(0xff.toByte) ++ utf8("\" .\n<a:s> <a:p> <a:o> .\n")
    val errors = mutable.Buffer.empty[String]
    assert(Lines.read(bytes, errors = errors).map(_.isRight) == Seq(false, true))
    assert(errors.head.endsWith("expected UTF-8, found invalid UTF-8 (byte 0xFF)"))
  }

  private val strict = Map("strict" -> "true")
  private val rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  test("strict: what RDF 1.2 does not allow is an error") {
    val subtags = "a language tag with subtags of at most 8 characters"
    val datatype = "a datatype other than rdf:langString and rdf:dirLangString"
    val resource = "an IRI or a blank node"
    val iri = "an IRI of RFC 3987"
    val found = s"<${rdf.take(39)}…"
    Seq(
      ("<< <a:s> <a:p> <a:o> >> <a:p> <a:o> .", resource, "<<"),
      ("<<( <a:s> <a:p> <a:o> )>> <a:p> <a:o> .", resource, "<<("),
      ("<a:s> <a:p> << <a:s> <a:p> <a:o> >> .", "an RDF term", "<<"),
      ("<a:s> <a:p> <<( <<( <a:s> <a:p> <a:o> )>> <a:p> <a:o> )>> .", resource, "<<("),
      ("<a:s> <a:p> <a:[> .", iri, "<a:[>"),
      ("<a:s#b#c> <a:p> <a:o> .", iri, "<a:s#b#c>"),
      ("<a:s> <http://[p/> <a:o> .", iri, "<http://[p/>"),
      ("<a:s> <a:p> <a:%zz> .", iri, "<a:%zz>"),
      ("<a:s> <a:p> <a:\\u0020> .", iri, "<a:\\u0020>"),
      ("<a:s> <a:p> \"o\"^^<a:[> .", iri, "<a:[>"),
      ("<a:s> <a:p> <<( <a:s> <a:p> <a:[> )>> .", iri, "<a:[>"),
      ("<a:s> <a:p> \"o\"@abcdefghi .", subtags, "abcdefghi"),
      ("<a:s> <a:p> \"o\" @en-abcdefghi--ltr .", subtags, "en-abcdefghi--ltr"),
      (s"<a:s> <a:p> \"o\"^^<${rdf}langString> .", datatype, found),
      (s"<a:s> <a:p> \"\\n\"^^<${rdf}dirLangString> .", datatype, found),
      (s"<a:s> <a:p> \"\\t\"^^<${rdf}lang\\u0053tring> .", datatype, found)
    ).foreach { case (text, expected, found) =>
      Seq(text, text + "\n").foreach { text =>
        assert(Lines.read(utf8(text)).forall(_.isRight), text)
        assert(
          errorOf(NTriplesFormat, text, strict.toSeq: _*) ==
            s"line 1 (row 0, byte 0): expected $expected, found '$found'"
        )
      }
    }
  }

  test("strict: what RDF 1.2 allows is read") {
    Seq(
      "\"o\"@en--ltr",
      "\"o\"@abcdefgh-12345678",
      s"\"^^<${rdf}langString>\"",
      s"\"o\"^^<${rdf}langStrings>",
      s"<${rdf}langString>",
      "<http://u@[::1]:80/%41é?\ue000#f>",
      "\"o\"^^<http://é/>",
      "<<( <a:s> <a:p> <<( <a:s> <a:p> <a:o> )>> )>>"
    ).foreach { term =>
      val line = utf8(s"<a:s> <a:p> $term .\n")
      assert(Lines.read(line, options = strict) == Lines.read(line), term)
      assert(Lines.read(line).length == 1)
    }
  }

  test("strict: the scanner takes no line that the parser refuses") {
    val tag = Gen.oneOf("en", "abcdefgh", "abcdefghi", "en-abcdefghi", "a-b-12345678", "en--ltr")
    val datatype = Gen.oneOf("a:t", s"${rdf}langString", s"${rdf}dirLangString", s"${rdf}HTML")
    val suffix = Gen.oneOf(Gen.const(""), tag.map("@" + _), datatype.map(iri => s"^^<$iri>"))
    val line = Gen.zip(Gen.oneOf("", "o", "\\t", "@", "^^<a>"), suffix).map { case (lex, suffix) =>
      s"<a:s> <a:p> \"$lex\"$suffix .\n"
    }
    forAll(Gen.listOf(line)) { lines =>
      val bytes = utf8(lines.mkString)
      val (columnErrors, rowErrors) = (mutable.Buffer.empty[String], mutable.Buffer.empty[String])
      val rows = Lines.readRows(bytes, options = strict, errors = rowErrors)
      assert(Lines.read(bytes, options = strict, errors = columnErrors) == rows)
      assert(columnErrors == rowErrors)
    }
  }

  test("a version is no row, and an unknown one an error in strict mode") {
    val line = "<a:s> <a:p> <a:o> ."
    Seq("1.1", "1.2", "1.2-basic", "1.2-messages", "1.\\u0032").foreach { version =>
      val text = s" VERSION\"$version\" # c\r\n$line\nVERSION \"$version\"\n$line\r" +
        s"VERSION \t \"$version\""
      Seq(strict, Map.empty[String, String]).foreach { options =>
        assert(Lines.read(utf8(text), options = options).length == 2)
        assert(Lines.readRows(utf8(text), options = options).length == 2)
      }
    }
    val unknown = s"$line\nVERSION \"1.3\"\n$line"
    assert(Lines.read(utf8(unknown)).length == 2)
    assert(
      errorOf(NTriplesFormat, unknown, strict.toSeq: _*) == "line 2 (row 1, byte 20): " +
        "expected VERSION \"1.1\", \"1.2\", \"1.2-basic\" or \"1.2-messages\", found '\"1.3\"'"
    )
    check("VERSION", "a version in double quotes", "the end of the input")
    check("VERSION '1.2'", "a version in double quotes", "''1.2''")
    check("VERSION \"1.2\" .", "the end of the line", "'.'")
    check("version \"1.2\"", "an IRI or a blank node", "'version'")
  }

  private val messages = "VERSION \"1.2-messages\"\n"

  private def framesOf(text: String, options: Map[String, String] = Map.empty) = {
    val frames = Lines.readFrames(utf8(text), options)
    val reader = NQuadsFormat.reader(options).openMessage(utf8(text), "file")
    val ofRows = Iterator
      .continually(if (reader.next()) Some(reader.row.frame) else None)
      .takeWhile(_.isDefined)
      .flatten
      .toSeq
    assert(ofRows == frames)
    frames
  }

  test("messages: a line MESSAGE ends one, empty ones count, and one at the end adds none") {
    val line = "<a:s> <a:p> <a:o> .\n"
    val text = messages + line + line + "MESSAGE\n" + line + "MESSAGE\n\tMESSAGE # c\n" +
      s"# MESSAGE\n$line<a:s> <a:p> \"\\u0041\" .\nMESSAGE"
    Seq("\n", "\r\n", "\r").foreach { end =>
      Seq(strict, Map.empty[String, String]).foreach { options =>
        assert(framesOf(text.replace("\n", end), options) == Seq(0, 0, 1, 3, 3))
      }
    }
    assert(framesOf(s"${messages}MESSAGE\nMESSAGE\n$line") == Seq(2))
    assert(framesOf(messages) == Nil)
    assert(framesOf(s"${messages}MESSAGE\nMESSAGE") == Nil)
    assert(framesOf(line) == Seq(Row.NoNumber))
  }

  test("messages: the head of a file tells whether it has any") {
    val line = "MESSAGE\n<a:s> <a:p> <a:o> ."
    Seq(
      messages,
      s"\ufeff$messages",
      "\r\n # c\n\t\nVERSION \"1.2\"\rVERSION\"x\" # c\n \tVERSION\t\"1.2-messages\"# c\r",
      "#" + "c" * 60000 + s"\n$messages",
      "\n" * (MessageStream.HeadSize - messages.length) + messages
    ).foreach(head => assert(framesOf(head + line) == Seq(1)))
    Seq(
      "",
      "VERSION \"1.2\"\n",
      "<a:s> <a:p> <a:o> .\n" + messages,
      "\n" * MessageStream.HeadSize + messages
    ).foreach { head =>
      assert(
        errorOf(NQuadsFormat, head + line).endsWith(
          "expected VERSION \"1.2-messages\" before the first statement, found 'MESSAGE'"
        )
      )
    }
    assert(
      errorOf(NQuadsFormat, s"${messages}MESSAGE .")
        .endsWith("expected the end of the line, found '.'")
    )
    assert(
      errorOf(NQuadsFormat, s"${messages}MESSAGES")
        .endsWith("expected the end of the line, found 'S'")
    )
  }

  test("messages: a stream has one part") {
    val cases = for {
      (bytes, rows) <- Lines.file
      at <- Gen.choose(1, messages.length + bytes.length)
      bom = bytes.startsWith(utf8("\ufeff"))
    } yield (utf8(messages) ++ (if (bom) bytes.drop(3) else bytes), rows, at)
    forAll(cases) { case (bytes, rows, at) =>
      val all = parts(Seq(math.min(at, bytes.length)), bytes.length)
      assert(Lines.read(bytes, all.head) == rows.map(Right(_)))
      assert(Lines.readRows(bytes, all.head) == rows.map(Right(_)))
      assert(Lines.read(bytes, all.last).isEmpty)
      assert(Lines.readRows(bytes, all.last).isEmpty)
    }
    val long = messages + "<a:s> <a:p> <a:o> .\nMESSAGE\n" * 30000
    assert(framesOf(long) == (0 until 30000))
    assert(Lines.read(utf8(long), FilePart(0, 1)).length == 30000)
    assert(Lines.read(utf8(long), FilePart(1, long.length.toLong)).isEmpty)
  }

  test("triple terms are nested at most 63 deep") {
    def nested(depth: Int): String = "<< <a:s> <a:p> " * depth + "<a:o>" + " >>" * depth
    val row = Lines.read(utf8(s"<a:s> <a:p> ${nested(TripleTerm.MaxDepth)} ."))
    assert(row.forall(_.isRight))
    val error = errorOf(NTriplesFormat, s"<a:s> <a:p> ${nested(TripleTerm.MaxDepth + 1)} .")
    assert(error.contains("expected triple terms nested at most 63 deep"))
  }
}
