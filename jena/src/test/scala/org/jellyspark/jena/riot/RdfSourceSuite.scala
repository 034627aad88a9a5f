package org.jellyspark.jena.riot

import java.net.{InetAddress, ServerSocket}
import java.nio.charset.StandardCharsets.{ISO_8859_1, UTF_8}
import java.nio.file.{Files, Path}
import java.util.zip.GZIPOutputStream

import com.github.luben.zstd.Zstd
import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.streaming.Trigger

import org.jellyspark.jena.SparkSuite

class RdfSourceSuite extends SparkSuite {
  private val (a, p, b) = ("<http://x/a>", "<http://x/p>", "<http://x/b>")
  private val prefix = "@prefix : <http://x/> .\n"
  private val xsd = "http://www.w3.org/2001/XMLSchema#"
  private val rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  private def xml(content: String, doctype: String = ""): String =
    s"""$doctype<rdf:RDF xmlns:rdf="$rdf" xmlns="http://x/">
       |$content</rdf:RDF>""".stripMargin
  private def description(content: String): String =
    s"""<rdf:Description rdf:about="http://x/a">$content</rdf:Description>\n"""
  private val toB = description("""<p rdf:resource="http://x/b"/>""")

  private val same = Map(
    "turtle" -> s"$prefix:a :p :b .",
    "trig" -> s"$prefix{ :a :p :b }",
    "n3" -> s"$prefix:a :p :b .",
    "rdfxml" -> xml(toB),
    "jsonld" -> s"""{"@context": {"p": {"@id": "http://x/p", "@type": "@id"}},
      "@id": "http://x/a", "p": "http://x/b"}"""
  )
  private val extensions = Map(
    "turtle" -> Seq(".ttl", ".turtle"),
    "trig" -> Seq(".trig"),
    "n3" -> Seq(".n3"),
    "rdfxml" -> Seq(".rdf", ".owl", ".rdfs", ".xml"),
    "jsonld" -> Seq(".jsonld", ".json")
  )

  private var files = 0

  private def write(bytes: Array[Byte], extension: String): Path = {
    files += 1
    Files.write(folder.resolve(s"file$files$extension"), bytes)
  }

  private def load(path: Any, options: (String, String)*): DataFrame =
    spark.read.format("rdf").options(options.toMap).load(path.toString)

  /** The rows of a text, with terms as strings; `seq` comes last. */
  private def read(text: String, syntax: String, options: (String, String)*): Seq[Row] =
    load(write(text.getBytes(UTF_8), ".dat"), options :+ ("syntax" -> syntax): _*).collect().toSeq

  private def turtle(text: String, options: (String, String)*): Seq[Row] =
    read(text, "turtle", options: _*)

  private def objects(rows: Seq[Row]): Seq[String] = rows.map(_.getAs[String]("object"))

  private def failure(run: => Any): String = {
    val error = intercept[Exception](run)
    val causes = Iterator.iterate(error: Throwable)(_.getCause).takeWhile(_ != null)
    causes.map(_.getMessage).filter(_ != null).mkString("\n")
  }

  private def error(text: String, syntax: String, options: (String, String)*): String =
    failure(read(text, syntax, options: _*))

  private def gzip(bytes: Array[Byte]): Array[Byte] = {
    val out = new java.io.ByteArrayOutputStream
    val compressed = new GZIPOutputStream(out)
    compressed.write(bytes)
    compressed.close()
    out.toByteArray
  }

  test("all syntaxes are read, by the extension or the option, also compressed") {
    same.foreach { case (syntax, text) =>
      val bytes = text.getBytes(UTF_8)
      val paths = extensions(syntax).flatMap { extension =>
        Seq(
          write(bytes, extension),
          write(gzip(bytes), s"$extension.gz"),
          write(Zstd.compress(bytes), s"$extension.zst")
        )
      } :+ write("\ufeff".getBytes(UTF_8) ++ bytes, extensions(syntax).head)
      val found = spark.read.format("rdf").load(paths.map(_.toString): _*).collect().toSet
      assert(found == Set(Row(a, p, b, null, null, 0L)), syntax)
      assert(read(text, syntax.toUpperCase) == Seq(Row(a, p, b, null, null, 0L)))
    }
  }

  test("terms are kept") {
    val text =
      """8.50, 01, "1"^^<http://x/t>, "Tasse"@de-AT, "x"@ar--rtl, _:b.1, true, "x"^^<""" + xsd +
        "integer>, \"\\t\\u0001\\u007F\\\"\\\\\\n\\r\", <<( :a :p <<( :b :p _:x )>> )>>"
    assert(
      objects(turtle(s"$prefix:a :p $text .")) == Seq(
        s""""8.50"^^<${xsd}decimal>""",
        s""""01"^^<${xsd}integer>""",
        "\"1\"^^<http://x/t>",
        "\"Tasse\"@de-AT",
        "\"x\"@ar--rtl",
        "_:b.1",
        s""""true"^^<${xsd}boolean>""",
        s""""x"^^<${xsd}integer>""",
        "\"\t\u0001\u007f\\\"\\\\\\n\\r\"",
        s"<<( $a $p <<( $b $p _:x )>> )>>"
      )
    )
    val structs = load(write(same("turtle").getBytes, ".ttl"), "terms" -> "struct")
    assert(structs.select("object.value").head() == Row("http://x/b"))
  }

  test("graphs are those of TriG") {
    val rows = read(s"$prefix:a :p :b . :g { :a :p :b } _:g { :a :p :b }", "trig")
    assert(rows.map(_.getAs[String]("graph")) == Seq(null, "<http://x/g>", "_:g"))
  }

  test("blank nodes without a label get the same ones each time, and other ones in another file") {
    val text = s"$prefix:a :p [], <<( :a :p [] )>>, ( 1 )."
    val path = write(text.getBytes, ".ttl")
    val first = load(path).collect().toSeq
    assert(load(path).collect().toSeq == first)
    val made = objects(first).head
    // The data source in Python makes it the same way.
    val hash = java.security.MessageDigest.getInstance("SHA-256").digest(path.toString.getBytes)
    val start = s"_:anon-${hash.take(8).map(byte => f"$byte%02x").mkString}-"
    assert(made == s"${start}0")
    assert(!objects(load(write(text.getBytes, ".ttl")).collect().toSeq).head.startsWith(start))
    Files.write(path, s"$prefix:a :p $made, [] .".getBytes)
    assert(objects(load(path).collect().toSeq) == Seq(s"${start}_0", made))
  }

  test("prefixes are rows: those from before the first statement first, all others last") {
    val text = s"$prefix@prefix a: <http://a/> . :a :p :b .\n@prefix ex: <http://ex/> .\n:a :p :b ."
    val rows = load(write(text.getBytes, ".ttl"), "namespaces" -> "true")
    assert(
      rows.select("seq", "name", "value").collect().toSeq == Seq(
        Row(0L, "", "<http://x/>"),
        Row(1L, "a", "<http://a/>"),
        Row(2L, null, null),
        Row(3L, null, null),
        Row(4L, "ex", "<http://ex/>")
      )
    )
    assert(!load(write(text.getBytes, ".ttl")).columns.contains("name"))
  }

  test("relative IRIs need a base") {
    val relative = s"<a> $p <b> ."
    val row = Seq(Row(a, p, b, null, null, 0L))
    assert(turtle(relative, "base" -> "http://x/y") == row)
    assert(turtle(s"@base <http://x/> . $relative") == row)
    val noBase = "expected an absolute IRI, or an option base, found a relative IRI without a base"
    assert(error(s"\n$relative", "turtle").contains(s"line 2, column 1: $noBase"))
    val inXml = xml(description("""<p rdf:resource="b"/>"""))
    assert(error(inXml, "rdfxml").contains(noBase))
    assert(read(inXml, "rdfxml", "base" -> "http://x/y") == row)
    assert(error(relative, "turtle", "base" -> "y").contains("base must be an absolute IRI; not"))
  }

  test("malformed files are errors with the place, after the rows before it") {
    Seq(
      (s"$prefix:a :p :b ; .\n:a :p c .", "turtle", "line 3, column 7: expected valid Turtle, "),
      (s"$prefix:a :p \"b", "turtle", "expected valid Turtle, found an error: "),
      (s"$a $p <http://x/ > .", "turtle", "expected valid Turtle, found an error: "),
      (s"$a $p <a:b|c> .", "turtle", "line 1, column 32: expected a valid IRI, found an error"),
      (
        xml(description("<p xml:lang='en_US'>x</p>")),
        "rdfxml",
        "expected a language tag, found 'en_US'"
      ),
      (s"$a $p \"\\uD800x\" .", "turtle", "expected valid Turtle, found an error: "),
      (
        "<html><p>Not found</p></html>",
        "turtle",
        "(this looks like an HTML page: download the data"
      ),
      (
        "<!DOCTYPE html>\n<html><br></html>",
        "rdfxml",
        "(this looks like an HTML page: download the data"
      ),
      ("<!DOCTYPE html>", "jsonld", "(this looks like an HTML page: download the data"),
      (same("rdfxml"), "turtle", "(this looks like XML: if it is RDF/XML, read it "),
      (same("turtle"), "rdfxml", "(this looks like Turtle or TriG: read it with the format rdf)"),
      ("$HDT\u0001", "turtle", "(this looks like an HDT file: convert it to N-Triples first"),
      (xml(toB).dropRight(10), "rdfxml", "line 3, column 1: expected valid RDF/XML, "),
      (
        "<?xml version='1.0'?>",
        "rdfxml",
        "line 1, column 22: expected valid RDF/XML, found an error: "
      ),
      ("{\"@id\": \"http://x/a\",\n \"http://x/p\" 1}", "jsonld", "line 2, column "),
      (
        "{\"@id\": \"http://x/a\", \"http://x/p\": \"\\ud800\"}",
        "jsonld",
        "expected Unicode characters, found a lone surrogate in "
      ),
      (s"$prefix:a :p { :a :p :b } .", "n3", "line 2, column 7: expected valid N3, "),
      (
        s"$a $p ${s"<<( $a $p " * 64}1${" )>>" * 64} .",
        "turtle",
        "triple terms nested at most 63 deep"
      ),
      // Such nesting overflows the parser's stack.
      (s"$a $p ${s"<<( $a $p " * 300000}", "turtle", "nested less deep, found too many levels"),
      (s"$a $p ${s"[ $p " * 300000}", "turtle", "nested less deep, found too many levels"),
      ("[" * 1000000, "jsonld", "JSON that is nested at most 200 deep, found too many levels")
    ).foreach { case (text, syntax, says) =>
      val message = error(text, syntax)
      assert(message.contains(says), text.take(100))
      // A file that begins as it should gets no hint.
      assert(message.contains("(this looks like") == says.contains("this looks like"), message)
    }
    val rows = s"$prefix${":a :p :b .\n" * 5000}oops"
    val path = write(rows.getBytes, ".ttl")
    assert(load(path, "mode" -> "DROPMALFORMED").count() == 5000)
    assert(failure(load(path).count()).contains(s"$path: line 5002, column 1: "))
  }

  test("what RIOT would take for something else is an error") {
    val node = "\"@id\": \"http://x/a\", \"http://x/p\":"
    val entity = "<!DOCTYPE x [<!ENTITY f SYSTEM 'http://x/'>]>"
    val label = (name: String) => xml(description(s"<p rdf:nodeID='$name'/>"))
    Seq(
      // The end of a file is missing.
      (s"$prefix:a :p :thing12", "turtle", "expected valid Turtle"),
      (s"$prefix:a :p :b ;", "turtle", "expected valid Turtle"),
      (s"$prefix:a :p 12", "n3", "expected valid N3"),
      (s"$prefix:a :p 12", "trig", "expected valid TriG"),
      (s"$prefix:g { :a :p 12", "trig", "expected valid TriG"),
      ("@prefix : <http://x/>", "turtle", "expected valid Turtle"),
      // Terms where there can be none.
      (s"$prefix(1 2) .", "turtle", "expected valid Turtle"),
      (s"$prefix:a = :b .", "turtle", "expected valid Turtle"),
      (s"$prefix'x' :p 1 .", "turtle", "a literal"),
      (s"$prefix{ 1 :p 1 }", "trig", "a literal"),
      (s"$prefix<_:x> :p _:x .", "turtle", "expected an absolute IRI, found '_:x'"),
      (s"$prefix:a :p 1 . <_:x> { :a :p 1 }", "trig", "expected an absolute IRI, found '_:x'"),
      (label("a."), "rdfxml", "expected a valid blank node label, found 'a.'"),
      (label("a:b"), "rdfxml", "a:b"),
      // JSON has one value, with one value for each key.
      (s"{$node 1}\n{$node 2}", "jsonld", "line 2, column "),
      (s"{$node 1} garbage", "jsonld", "line 1, column "),
      (s"{$node 1, $node 2}", "jsonld", "an object has the same key twice"),
      (s"${"[" * 201}${"]" * 201}", "jsonld", "nested at most 200 deep"),
      (" ", "jsonld", "expected valid JSON-LD"),
      // Entities that are not in the file, wherever they are declared.
      (s"<!--${" " * 70000}-->${xml(toB, entity)}", "rdfxml", "an external DTD or entity"),
      (xml(toB, entity.replace("[", "[<!ENTITY e ']>'>")), "rdfxml", "an external DTD or entity"),
      (xml(toB, entity.replace("[", "[<!-- ]> -->")), "rdfxml", "an external DTD or entity"),
      (
        xml(toB, s"""<!DOCTYPE x [<!ENTITY % q "<!ENTITY f SYSTEM 'x'>"> %q;]>"""),
        "rdfxml",
        "an external DTD or entity"
      )
    ).foreach { case (text, syntax, says) =>
      withClue(text)(assert(error(text, syntax).contains(says)))
    }
    val wrong = xml(description("<p>\u00e9</p>")).getBytes(ISO_8859_1)
    assert(
      failure(load(write(wrong, ".rdf")).count()).contains("line 2, column 44: expected valid")
    )
  }

  test("RDF that looks like such errors is read") {
    Seq(
      (s"$prefix[ :p 1 ] .", "turtle", 1),
      (s"$prefix[] :p 1 . # the end", "turtle", 1),
      (s"$prefix() :p () .", "turtle", 1),
      (s"$prefix(1) :p 1 .", "turtle", 3),
      (s"$prefix<<:a :p :b>> . :a :p :b {| :p 1 |} .", "turtle", 4),
      (
        s"$prefix{ :a :p 1 } :g { :a :p 1 } :g {} GRAPH :g { [ :p 1 ] } [] { :a :p 1 . }",
        "trig",
        4
      ),
      (s"$prefix[] :p 1 .", "trig", 1),
      (s"${xml(toB)}<!-- <!DOCTYPE x SYSTEM 'x'> -->", "rdfxml", 1),
      (s"<!-- <!DOCTYPE x SYSTEM 'x'> -->${xml(toB)}", "rdfxml", 1),
      (xml(description("<p><![CDATA[<!DOCTYPE x SYSTEM 'x'>]]></p>")), "rdfxml", 1),
      (xml(toB, "<!DOCTYPE SYSTEM [<!ENTITY e \"<!ENTITY f SYSTEM 'x'>\">]>"), "rdfxml", 1),
      (s"<?xml version='1.0' encoding='utf-8'?>${xml(toB)}", "rdfxml", 1),
      ("{\"@id\": \"http://x/a\", \"http://x/p\": [{\"@id\": \"http://x/a\"}]}\n\n", "jsonld", 1)
    ).foreach { case (text, syntax, count) => assert(read(text, syntax).length == count, text) }
  }

  test("long IRIs are read; the number of datatypes has a limit") {
    val iri = s"<http://x/${"x" * 2000}>"
    val rows = turtle(s"$iri $p $iri . $iri $p $iri .")
    assert(rows.map(_.getAs[String]("subject")) == Seq(iri, iri))
    val many = (1 to 10001).map(n => s"$a $p 'x'^^<http://x/$n> .")
    assert(turtle(many.tail.mkString).length == 10000)
    assert(error(many.mkString, "turtle").contains("at most 10000 datatypes in a file"))
  }

  test("text that is not UTF-8 is an error, wherever it is") {
    Seq(0, 1 << 16, 70000).foreach { length =>
      val start = s"# ${"é" * length}\n$a $p \"é\", \""
      val path = write(start.getBytes(UTF_8) ++ "ÿ\" .".getBytes(ISO_8859_1), ".ttl")
      assert(
        failure(load(path).count())
          .contains("line 2, column 34: expected UTF-8, found invalid UTF-8 (byte 0xFF)")
      )
      val text = s"#${"é" * length}\n$a $p \"é\" ."
      assert(objects(turtle(text)) == Seq("\"é\""))
    }
  }

  test("damaged compressed files are errors") {
    val path = write(gzip(s"$prefix${":a :p 1 ." * 9}".getBytes).dropRight(9), ".ttl.gz")
    assert(failure(load(path).count()).contains("expected undamaged compressed input"))
    val unknown = write(gzip(same("turtle").getBytes), ".ttl")
    assert(failure(load(unknown).count()).contains("give the file the extension .gz"))
  }

  test("files whose syntax is not known are errors that say what to do") {
    val message = failure(load(write("x".getBytes, ".dat")).count())
    assert(message.contains("give the option syntax, one of: turtle, trig, n3, rdfxml, jsonld"))
    assert(
      failure(load(write("x".getBytes, ".hdt")).count())
        .contains("HDT cannot be read: convert it to N-Triples first")
    )
    assert(error("x", "ttl").contains("syntax must be one of: turtle, trig, n3, rdfxml, jsonld"))
    val path = write(same("turtle").getBytes, ".ttl")
    val written = failure(load(path).write.format("rdf").save(folder.resolve("out").toString))
    assert(written.contains("rdf can be read, not written, by Spark: write ntriples or nquads"))
    assert(failure(load(path, "bases" -> "x")).contains("did you mean base?"))
  }

  test("rows and what is between them have a limit") {
    val text = s"$prefix:a :p \"${"x" * 300}\" ."
    assert(error(text, "turtle", "maxRowSize" -> "200").contains("option maxRowSize"))
    assert(turtle(text, "maxRowSize" -> "400").length == 1)
    val long = s"$prefix:a :p \"${"x" * 300000}"
    assert(error(long, "turtle", "maxRowSize" -> "100000").contains("option maxRowSize"))
    val many = s"$prefix${":a :p :b .\n" * 50000}"
    assert(turtle(many, "maxRowSize" -> "100000").length == 50000)
  }

  test("nothing is fetched") {
    val server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress)
    server.setSoTimeout(1)
    try {
      val url = s"http://127.0.0.1:${server.getLocalPort}/x"
      val here = description("<p>&f;</p>")
      Seq(
        (s"""{"@context": "$url"}""", "jsonld", "because contexts are not fetched"),
        (
          s"""[{"@id": "http://x/a", "http://x/p": {"@context": ["$url"], "@id": "_:x"}}]""",
          "jsonld",
          "because contexts are not fetched"
        ),
        (xml(here, s"""<!DOCTYPE x SYSTEM "$url">"""), "rdfxml", "an external DTD or entity"),
        (
          xml(here, s"""<!DOCTYPE x PUBLIC "x"\n "$url">"""),
          "rdfxml",
          "an external DTD or entity"
        ),
        (
          xml(here, s"""<!DOCTYPE x [<!ENTITY e "SYSTEM"> <!ENTITY f SYSTEM "$url">]>"""),
          "rdfxml",
          "an external DTD or entity"
        ),
        (
          xml(here, s"""<!DOCTYPE x [<!ENTITY % q SYSTEM "$url"> %q;]>"""),
          "rdfxml",
          "an external DTD or entity"
        )
      ).foreach { case (text, syntax, says) => assert(error(text, syntax).contains(says), text) }
      intercept[java.net.SocketTimeoutException](server.accept())
    } finally server.close()
    val internal = xml(description("<p>&f;</p>"), "<!DOCTYPE x [<!ENTITY f 'A SYSTEM '>]>")
    assert(objects(read(internal, "rdfxml")) == Seq("\"A SYSTEM \""))
  }

  test("JSON-LD keeps base directions; its blank nodes have labels of the file") {
    val text =
      """[{"@id": "http://x/a", "http://x/p": [
        |  {"@value": "T", "@language": "ar-EG", "@direction": "rtl"}, {"@id": "_:x"}, {}
        |]}]""".stripMargin
    val found = objects(read(text, "jsonld"))
    assert(found.head == "\"T\"@ar-EG--rtl")
    assert(found.tail.forall(_.matches("_:anon-[0-9a-f]{16}-[0-9]+")))
  }

  test("IRIs and language tags are those of N-Triples; strict mode checks them") {
    def node(iri: String, syntax: String) = syntax match {
      case "rdfxml" => xml(description(s"""<p rdf:resource="$iri"/>"""))
      case "jsonld" => s"""{"@id": "http://x/a", "http://x/p": {"@id": "$iri"}}"""
      case _        => s"$a $p <$iri> ."
    }
    val iris =
      Seq("http://x/É#K[R]", "http://[b/c", "http://x/%zz", "a:b#c#d", "http://x/a/../b", "a:É")
    val all = Seq("turtle", "rdfxml", "jsonld")
    all.foreach { syntax =>
      iris.foreach { iri =>
        assert(objects(read(node(iri, syntax), syntax)) == Seq(s"<$iri>"), syntax)
      }
      val strict = "strict" -> "true"
      assert(read(node(iris.last, syntax), syntax, strict).length == 1)
      assert(
        error(node("http://x/%zz", syntax), syntax, strict)
          .contains("expected an IRI of RFC 3987, found 'http://x/%zz'")
      )
      Seq("b", "", "#b").foreach { iri =>
        val message = error(node(iri, syntax), syntax)
        assert(message.contains("an option base, found a relative IRI without a base"), syntax)
      }
    }
    // Where the syntax allows the characters without an escape.
    Seq("rdfxml", "jsonld").foreach { syntax =>
      assert(objects(read(node("a:b|c d", syntax), syntax)) == Seq("<a:b\\u007Cc\\u0020d>"))
    }
    assert(objects(turtle(node("a:\\u0020", "turtle"))) == Seq("<a:\\u0020>"))
    val base = "base" -> "http://x/y/z?q"
    val relative = Seq("[]", "../../g", "", "?x", "#f", "//h/i", "/j/./k", "1a:b")
    assert(
      objects(turtle(relative.map(iri => node(iri, "turtle")).mkString, base)) == Seq(
        "<http://x/y/[]>",
        "<http://x/g>",
        "<http://x/y/z?q>",
        "<http://x/y/z?x>",
        "<http://x/y/z?q#f>",
        "<http://h/i>",
        "<http://x/j/k>",
        "<http://x/y/1a:b>"
      )
    )
    val tags = "\"a\"@en-GB, \"b\"@EN--rtl, \"c\"@abcdefghij, <<( :a :p \"d\"@De )>>"
    assert(
      objects(turtle(s"$prefix:a :p $tags .")) == Seq(
        "\"a\"@en-GB",
        "\"b\"@EN--rtl",
        "\"c\"@abcdefghij",
        s"<<( $a $p \"d\"@De )>>"
      )
    )
    assert(
      objects(read(xml(description("<p xml:lang='en-GB'>x</p>")), "rdfxml")) == Seq("\"x\"@en-GB")
    )
    val json = """{"@context": {"l": {"@id": "http://x/l", "@container": "@language"}},
      "@id": "http://x/a", "@type": "http://x/T", "l": {"en-GB": "A B", "EN": "b"}}"""
    assert(
      objects(read(json, "jsonld")).toSet == Set("<http://x/T>", "\"A B\"@en-GB", "\"b\"@EN")
    )
    val long = s"$a $p \"x\"@abcdefghi ."
    assert(error(long, "turtle", "strict" -> "true").contains("subtags of at most 8 characters"))
    val untagged = s"$a $p \"x\"^^<${rdf}langString> ."
    assert(turtle(untagged).length == 1)
    assert(error(untagged, "turtle", "strict" -> "true").contains("a language tag, found the data"))
  }

  /** Checks that each text, with the syntax's options, is one row with an IRI. */
  private def assertIris(
      syntax: String,
      texts: Seq[(String, String)],
      options: (String, String)*
  ) = {
    val expected = texts.map { case (text, iri) =>
      write(text.getBytes(UTF_8), ".dat").getFileName.toString -> ((text, iri))
    }.toMap
    val paths = expected.keys.map(folder.resolve(_).toString).toSeq
    val rows =
      spark.read.format("rdf").options((options :+ ("syntax" -> syntax)).toMap).load(paths: _*)
    val found = rows
      .selectExpr("_metadata.file_name", "concat_ws(' ', subject, predicate, object, graph)")
      .collect()
      .toSeq
      .groupMap(_.getString(0))(_.getString(1))
    expected.foreach { case (file, (text, iri)) =>
      val statements = found.getOrElse(file, Nil)
      assert(statements.length == 1 && statements.head.contains(s"<$iri>"), s"$text $statements")
    }
  }

  private def jsonNodes(iri: String, context: String = ""): Seq[String] = Seq(
    s"""{$context"@id": "$iri", "a:p": "x"}""",
    s"""{$context"@id": "a:s", "a:p": {"@id": "$iri"}}""",
    s"""{$context"@id": "a:s", "@type": "$iri"}""",
    s"""{$context"@id": "$iri", "@graph": [{"@id": "a:s", "a:p": "x"}]}""",
    s"""{$context"@id": "a:s", "a:p": {"@value": "x", "@type": "$iri"}}"""
  )

  test("JSON-LD loses no statement with an IRI that N-Triples can hold, or a relative one") {
    def nodes(iris: Seq[String]) = iris.flatMap { iri =>
      (jsonNodes(iri) :+ s"""{"@id": "a:s", "$iri": "x"}""").map(_ -> iri)
    }
    val valid = Seq("http://x/a\u00a0b", "urn:", "http:", "b:", "http://[::1]/a", "a:\u2003/")
    assertIris("jsonld", nodes(valid), "strict" -> "true")
    val others = Seq("http://x/\u007f", "http://x/\u0085", "urn:x\u007fy")
    assertIris("jsonld", nodes(valid ++ others))
    nodes(others).foreach { case (text, _) =>
      assert(error(text, "jsonld", "strict" -> "true").contains("an IRI of RFC 3987"), text)
    }
    val noBase = "an option base, found a relative IRI without a base"
    Seq("//host/p", "//", "foo", "é:x", "foo_bar:x", "a b").foreach { iri =>
      assert(error(jsonNodes(iri).head, "jsonld").contains(noBase), iri)
    }
    jsonNodes("foo").foreach(text => assert(error(text, "jsonld").contains(noBase), text))
    Seq("@base", "\\u0040base").foreach { key =>
      jsonNodes("foo", s""""@context": {"$key" : null}, """).foreach { text =>
        assert(error(text, "jsonld", "base" -> "http://b/c").contains(noBase), text)
      }
    }
    // JSON-LD leaves out keys that are neither terms nor IRIs.
    Seq("é:x", "Prix : total", "Prix\u00a0: total").foreach { key =>
      assert(read(s"""{"@id": "a:s", "$key": {"@id": "a:b", "a:p": 1}}""", "jsonld").isEmpty)
    }
    val relative = Seq(
      "//" -> "http://",
      "é:x" -> "http://b/é:x",
      "foo_bar:x" -> "http://b/foo_bar:x",
      "\u00a0" -> "http://b/\u00a0",
      "1:2" -> "http://b/1:2",
      "c/d:e" -> "http://b/c/d:e"
    )
    assertIris(
      "jsonld",
      relative.flatMap { case (iri, expected) => jsonNodes(iri).map(_ -> expected) },
      "base" -> "http://b/c"
    )
    val terms = """"@context": {"foo_bar": "http://x/", "c d": "urn:", "n": "b:"}, """
    val compact = Seq("foo_bar:y" -> "http://x/y", "c d:y" -> "urn:y", "n:y" -> "b:y", "n:" -> "b:")
    assertIris(
      "jsonld",
      compact.flatMap { case (iri, expected) => jsonNodes(iri, terms).map(_ -> expected) }
    )
    val json = """"@context": {"j": {"@id": "a:j", "@type": "@json"}}, """
    assert(
      error(jsonNodes("b", json.replace("{\"j", "{\"@base\": null, \"j")).head, "jsonld")
        .contains("found both @json and no base")
    )
    assertIris("jsonld", jsonNodes("http://x/ a", json).init.map(_ -> "http://x/\\u0020a"))
    val prefixed = """{"@context": {"EX": "http://x/[1]/"}, "@id": "a:s", "a:p": "x"}"""
    assert(
      read(prefixed, "jsonld", "namespaces" -> "true").map(_.getAs[String]("value")) ==
        Seq("<http://x/[1]/>", null)
    )
    Seq("x y\\ud800", "http://x/\\ud800").foreach { text =>
      val found = error(s"""{"@id": "a:s", "a:p": ["$text", {"@id": "$text"}]}""", "jsonld")
      assert(found.contains("expected Unicode characters, found a lone surrogate"))
    }
  }

  test("RDF/XML has the IRIs that Turtle has, also those that Jena's old checks refuse") {
    def nodes(iri: String, base: String = "") = Seq(
      s"""rdf:about="$iri"><p>x</p>""",
      s"""rdf:about="a:s"><p rdf:resource="$iri"/>""",
      s"""rdf:about="a:s" rdf:type="$iri">""",
      s"""rdf:about="a:s"><p rdf:datatype="$iri">x</p>"""
    ).map(text => xml(s"<rdf:Description $base $text</rdf:Description>"))
    def all(iris: Seq[String]) = iris.flatMap(iri => nodes(iri).map(_ -> iri))
    val rfc = Seq("http://[::1]/a", "http://[2001:db8::1]:80/p", "urn:uuid:not", "http:///x")
    val valid = rfc ++ Seq("http:", "urn:", "http://x-.y/\u00a0", "mailto:")
    val others = Seq(
      "http://[::zz]/",
      "http://x:abc/",
      "http://a@b@c/",
      "http://x/\u007f",
      "http://x/\u0085",
      "http://x/\ue000",
      s"http://x/${Character.toString(0xe0001)}#a#[b]%"
    )
    assertIris("rdfxml", all(valid), "strict" -> "true")
    assertIris("rdfxml", all(valid ++ others))
    others.foreach { iri =>
      val message = error(nodes(iri).head, "rdfxml", "strict" -> "true")
      assert(message.contains("an IRI of RFC 3987"), iri)
    }
    val references = Map(
      "http://[::1]:x/a/b?q" -> Seq(
        "../c" -> "http://[::1]:x/c",
        "" -> "http://[::1]:x/a/b?q",
        "#\ue000" -> "http://[::1]:x/a/b?q#\ue000",
        "//a:b:c/d" -> "http://a:b:c/d"
      ),
      "http://x/a" -> Seq(
        "//a:b:c/d" -> "http://a:b:c/d",
        "1:2" -> "http://x/1:2",
        "a_b:c" -> "http://x/a_b:c",
        "é:c" -> "http://x/é:c"
      ),
      "http:" -> Seq("d" -> "http:d")
    )
    // RIOT does not resolve datatypes, which come last.
    references.foreach { case (base, iris) =>
      def each(make: String => Seq[String]) = iris.flatMap { case (iri, expected) =>
        make(iri).map(_ -> expected)
      }
      assertIris("rdfxml", each(nodes(_, s"xml:base='$base'").init))
      assertIris("rdfxml", each(nodes(_).init), "base" -> base)
      assertIris("turtle", each(iri => Seq(s"@base <$base> . $a $p <$iri> .")))
    }
    val namespaces = (rfc :+ "http://x:abc/").flatMap { iri =>
      Seq(
        description(s"<e:q xmlns:e='$iri#'>x</e:q>"),
        s"<e:q xmlns:e='$iri#' rdf:about='a:s'/>",
        s"<rdf:Description xmlns:e='$iri#' rdf:about='a:s' e:q='x'/>"
      ).map(text => xml(text) -> s"$iri#q")
    }
    assertIris("rdfxml", namespaces)
    assertIris("rdfxml", namespaces, "base" -> "http://x/")
  }

  test("JSON-LD resolves relative IRIs as RFC 3986 says") {
    def nodes(base: String, iris: Seq[(String, String)]) = iris.flatMap { case (iri, expected) =>
      jsonNodes(iri, s""""@context": {"@base": "$base"}, """).map(_ -> expected)
    }
    val relative = Seq(
      "" -> "http://b.org/d1/d2/f?q",
      "?x" -> "http://b.org/d1/d2/f?x",
      "a%20b" -> "http://b.org/d1/d2/a%20b",
      "caf%C3%A9/a%2Fb?c%3Dd#e%23" -> "http://b.org/d1/d2/caf%C3%A9/a%2Fb?c%3Dd#e%23",
      "../x/./Y" -> "http://b.org/d1/x/Y",
      "foo#" -> "http://b.org/d1/d2/foo#",
      "/" -> "http://b.org/",
      "//h/." -> "http://h/"
    )
    val base = "http://b.org/d1/d2/f?q#f"
    assertIris("jsonld", nodes(base, relative))
    val nested = s""""@context": [{"@base": "$base"}, {"@base": "#g"}], """
    assertIris(
      "jsonld",
      relative.flatMap { case (iri, expected) =>
        (jsonNodes(iri) ++ jsonNodes(iri, nested)).map(_ -> expected)
      },
      "base" -> base
    )
    assertIris(
      "jsonld",
      nodes("http://b/%20/x", Seq("" -> "http://b/%20/x", "y" -> "http://b/%20/y"))
    )
    assertIris(
      "jsonld",
      nodes("a:", Seq("" -> "a:")) ++ nodes("a:b", Seq("?q" -> "a:b?q", "../y" -> "a:y"))
    )
    assertIris("turtle", Seq(s"@base <urn:b> . $a $p <../y> ." -> "urn:y"))
    val words = """"@context": {"@vocab": "..", "ex": "x/", "a.b": "http://x/"}, "@id": "a.b:c","""
    assertIris(
      "jsonld",
      Seq(
        s"{$words \"Foo\": 1}" -> "http://b/c/Foo",
        s"{$words \"ex:Foo\": 1}" -> "http://b/c/x/Foo"
      ),
      "base" -> "http://b/c/d/e"
    )
  }

  test("JSON-LD loses no statement with a malformed language tag") {
    Seq("1a", " en ", "é", "-", "zh_CN!", "").foreach { tag =>
      val node = s"""{"@value": "v", "@language": "$tag"}"""
      Seq(
        s"""{"@id": "http://x/a", "http://x/p": $node}""",
        s"""{"@context": {"p": {"@id": "http://x/p", "@container": "@language"}},
          "@id": "http://x/a", "p": {"$tag": "v"}}"""
      ).foreach { text =>
        assert(error(text, "jsonld").contains(s"expected a language tag, found '$tag'"), text)
      }
    }
  }

  test("JSON that is not JSON-LD is an error") {
    Seq("""{"head": {"vars": ["x"]}, "results": {}}""", """{"a":1,"b":[2]}""", "[1]").foreach {
      text =>
        val message = error(text, "jsonld")
        assert(message.contains("expected JSON-LD, found JSON without any of its keywords"), text)
    }
    Seq("{}", "[]", """{"@id": "http://x/a"}""", """{"@context": {}, "a": 1}""").foreach { text =>
      assert(read(text, "jsonld").isEmpty, text)
    }
    assert(read("""{"http://x/p": 1}""", "jsonld").length == 1)
  }

  test("RDF/XML resolves relative IRIs once, and keeps absolute ones") {
    def node(iri: String, bases: String*) = {
      val inner =
        s"<rdf:Description rdf:about='$iri' xml:base='${bases.last}'><p/></rdf:Description>"
      s"<rdf:RDF xmlns:rdf='$rdf' xmlns='http://x/' xml:base='${bases.head}'>$inner</rdf:RDF>"
    }
    val base = "base" -> "http://b.org/d1/d2/f"
    assertIris(
      "rdfxml",
      Seq(
        node("z", "y/", "") -> "http://b.org/d1/d2/y/z",
        node("z", "", "y/") -> "http://b.org/d1/d2/y/z",
        node("z", "../y/", "w/") -> "http://b.org/d1/y/w/z",
        node("", "#f", "") -> "http://b.org/d1/d2/f"
      ),
      base
    )
    val kept =
      Seq("http://x/a/../b", "http://x/a/./b", "http://x/..", "urn:a/../b", "urn:..", "http:a")
    kept.foreach { iri =>
      val texts = Seq(
        s"<rdf:Description rdf:about='$iri'><p>x</p></rdf:Description>",
        description(s"<p rdf:resource='$iri'/>"),
        s"<rdf:Description rdf:about='a:s' rdf:type='$iri'/>",
        s"<q xmlns='$iri#' rdf:about='a:s'/>"
      ).map(xml(_))
      assertIris("rdfxml", texts.init.map(_ -> iri) :+ (texts.last -> s"$iri#q"), base)
      assertIris("rdfxml", texts.init.map(_ -> iri), base, "strict" -> "true")
    }
    val id = s"<rdf:Description xml:base='http://x/a/../b' rdf:ID='c'><p/></rdf:Description>"
    assertIris("rdfxml", Seq(xml(id) -> "http://x/a/../b#c"))
  }

  test("each element of RDF/XML counts its rdf:li") {
    val nested = "<rdf:li rdf:parseType='Resource'><rdf:li>n</rdf:li><rdf:li>o</rdf:li></rdf:li>"
    val seq = "<rdf:li><rdf:Seq><rdf:li>p</rdf:li></rdf:Seq></rdf:li>"
    val found = read(xml(description(s"$nested$seq<rdf:li>m</rdf:li>")), "rdfxml")
    val numbers = found.map(row => row.getAs[String]("object") -> row.getAs[String]("predicate"))
    Seq("n" -> 1, "o" -> 2, "p" -> 1, "m" -> 3).foreach { case (text, number) =>
      assert(numbers.contains((s"\"$text\"", s"<${rdf}_$number>")), numbers)
    }
    assert(error(xml("<rdf:li/>"), "rdfxml").contains("expected valid RDF/XML"))
  }

  test("attributes after rdf:type are read") {
    Seq("rdf:type", "type").foreach { name =>
      val all =
        s"<rdf:Description xmlns:e='http://x/' rdf:about='a:s' $name='a:T' e:c='1' e:d='2'/>"
      assert(objects(read(xml(all), "rdfxml")).toSet == Set("<a:T>", "\"1\"", "\"2\""))
    }
  }

  test("the old names of the parse type Literal are read like it") {
    Seq("Literal", "literal", "Statements").foreach { name =>
      val found =
        objects(read(xml(description(s"<p rdf:parseType='$name'>a<!--c-->b<?p q?></p>")), "rdfxml"))
      assert(found == Seq(s"\"a<!--c-->b<?p q?>\"^^<${rdf}XMLLiteral>"))
    }
  }

  test("defaults of attributes cannot multiply a document") {
    def document(default: String, content: String) =
      xml(
        description(content),
        s"<!DOCTYPE rdf:RDF [<!ATTLIST p a:a CDATA '$default' xmlns:a CDATA 'a:'>]>"
      )
    assert(read(document("d", "<p/>" * 3), "rdfxml").length == 6)
    val long = "y" * 1000000
    Seq("<p/>" * 40, s"<p rdf:parseType='Literal'>${"<p/>" * 40}</p>").foreach { content =>
      val found = error(document(long, content), "rdfxml", "maxRowSize" -> "1000000000")
      assert(found.contains("expected XML whose entities do not multiply its size, found"), found)
    }
    // Attributes in the document do not count.
    val written = s"<p a:a='$long'/>" * 40
    assert(read(document("d", written), "rdfxml").length == 80)
  }

  test("the parser's thread ends with the read, also if Spark needs only the first rows") {
    val many = write(s"$prefix${":a :p :b .\n" * 100000}".getBytes, ".ttl")
    assert(load(many).limit(3).collect().length == 3)
    assert(load(many).count() == 100000)
    val deadline = System.nanoTime + 10000000000L
    while (parsers.nonEmpty && System.nanoTime < deadline) Thread.sleep(10)
    assert(parsers.isEmpty)
  }

  private def parsers: Set[String] = {
    import scala.jdk.CollectionConverters._
    Thread.getAllStackTraces.keySet.asScala.map(_.getName).filter(_.startsWith("rdf parser")).toSet
  }

  test("tables, streams and the file's metadata work as in other formats") {
    val path = write(same("turtle").getBytes, ".ttl")
    spark.sql(s"CREATE TABLE rdf_table USING rdf LOCATION '$path'")
    try assert(spark.sql("SELECT object FROM rdf_table").head() == Row(b))
    finally spark.sql("DROP TABLE rdf_table")
    assert(load(path).select("_metadata.file_name").head() == Row(path.getFileName.toString))
    val source = Files.createDirectory(folder.resolve("stream"))
    Files.copy(path, source.resolve("a.ttl"))
    val rows = spark.readStream.schema(load(path).schema).format("rdf").load(source.toString)
    val query = rows.writeStream
      .format("memory")
      .queryName("rdf_stream")
      .trigger(Trigger.AvailableNow())
      .start()
    query.awaitTermination()
    assert(spark.table("rdf_stream").collect().toSeq == Seq(Row(a, p, b, null, null, 0L)))
  }

  test("Spark counts the bytes that are read") {
    @volatile var bytes = 0L
    val listener = new SparkListener {
      override def onTaskEnd(task: SparkListenerTaskEnd): Unit =
        bytes += task.taskMetrics.inputMetrics.bytesRead
    }
    val text = s"$prefix${":a :p :b .\n" * 30000}"
    spark.sparkContext.addSparkListener(listener)
    try {
      assert(turtle(text).length == 30000)
      val deadline = System.nanoTime + 10000000000L
      while (bytes == 0 && System.nanoTime < deadline) Thread.sleep(10)
      assert(bytes >= text.length)
    } finally spark.sparkContext.removeSparkListener(listener)
  }
}
