package org.jellyspark.formats.jellyrdf

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.MalformedInputException
import org.jellyspark.core.OneByteStream
import org.jellyspark.core.terms.{BlankNode, Iri, Literal}
import org.jellyspark.formats.jellyrdf.RdfBytes._
import org.jellyspark.jelly.{ColumnReading, ReadOptions}
import org.jellyspark.jelly.WireBytes._

/** Reads streams that are built by hand, valid and malformed. */
class RdfReaderSuite extends AnyFunSuite {
  import JellyRdfFields.Kind

  private val spo = text(2, "s") ++ text(6, "p") ++ text(10, "o")
  private val inGraph = text(14, "g")
  private def triple(parts: Array[Byte]*): Array[Byte] = field(Kind.Triple, parts: _*)
  private def quad(parts: Array[Byte]*): Array[Byte] = field(Kind.Quad, parts: _*)
  private def graphStart(parts: Array[Byte]*): Array[Byte] = field(Kind.GraphStart, parts: _*)
  private val graphEnd = field(Kind.GraphEnd)
  private def name(id: Int, value: String): Array[Byte] =
    field(Kind.Name, number(1, id.toLong), text(2, value))
  private def namespace(parts: Array[Byte]*): Array[Byte] = field(Kind.Namespace, parts: _*)

  // The predicate is not an IRI.
  private val triples = options(1, generalized = true)
  private val quads = options(2, generalized = true)
  private val graphs = options(3, generalized = true)
  private val (s, p, o, g) = (BlankNode("s"), BlankNode("p"), BlankNode("o"), BlankNode("g"))

  private def error(bytes: Array[Byte], options: ReadOptions = ReadOptions()) =
    intercept[MalformedInputException](read(bytes, options))

  /** Asserts that the last of these rows is an error. */
  private def rejected(expected: String, found: String)(rows: Array[Byte]*): Unit = {
    val e = error(frame(rows: _*))
    assert((e.expected, e.found) == ((expected, found)))
    assert(e.row == rows.length - 1L)
    ()
  }

  /** Asserts that the rows are an error in strict mode only. */
  private def onlyStrict(expected: String, found: String)(rows: Array[Byte]*): Unit = {
    val e = error(frame(rows: _*), strict)
    assert((e.expected, e.found) == ((expected, found)))
    read(frame(rows: _*))
    ()
  }

  test("triples, quads and graphs") {
    assert(read(frame(triples, triple(spo))) == Seq(statement(s, p, o)))
    assert(read(frame(quads, quad(spo, inGraph))) == Seq(statement(s, p, o, g)))
    val rows = Seq(graphStart(text(2, "g")), triple(spo), graphEnd, graphStart(field(3)), triple())
    assert(
      read(frame(graphs +: rows: _*)) == Seq(statement(s, p, o, g), statement(s, p, o))
    )
  }

  test("a graph may be empty, be repeated, and continue over frames") {
    val start = graphStart(text(2, "g"))
    val bytes = frame(graphs, start, graphEnd, start, triple(spo)) ++ frame() ++
      frame(triple(), graphEnd, start, triple(), graphEnd)
    assert(read(bytes, strict) == List.fill(3)(statement(s, p, o, g)))
  }

  test("a graph can be a literal") {
    assert(
      read(frame(graphs, graphStart(field(4, text(1, "x"))), triple(spo))).map(_.graph) ==
        Seq(Literal.simple("x"))
    )
  }

  test("frame counts all frames, also empty ones; seq counts the rows that are returned") {
    val bytes = frame() ++ frame(triples, triple(spo), triple()) ++ frame() ++ frame() ++
      frame(name(0, "n")) ++ frame(triple())
    assert(readNumbered(bytes).map(row => (row._1, row._2)) == Seq((1, 0), (1, 1), (5, 2)))
    assert(readNumbered(rows(triples, triple(spo))).map(row => (row._1, row._2)) == Seq((0, 0)))
    assert(read(Array.empty[Byte]).isEmpty && read(frame()).isEmpty)
  }

  test("namespaces are rows if the option asks for them, and change the lookup ids in any case") {
    val bytes = frame(
      options(1, version = 2),
      name(0, "a"),
      name(0, "b"),
      namespace(text(1, "n"), field(2)),
      triple(text(2, "s"), text(6, "p"), field(9)),
      namespace(field(2, number(2, 1)))
    )
    val rows = Seq(
      RdfBytes.namespace("n", "a"),
      statement(s, p, Iri("b")),
      RdfBytes.namespace("", "a")
    )
    assert(readNumbered(bytes) == rows.zipWithIndex.map { case (row, i) => (0L, i.toLong, row) })
    assert(readNumbered(bytes, namespaces = false) == Seq((0L, 0L, rows(1))))
  }

  test("a base direction in a language tag is ltr or rtl") {
    def literal(tag: String) =
      triple(text(2, "s"), text(6, "p"), field(11, text(1, "x"), text(2, tag)))
    val read = RdfBytes.read(frame(triples, literal("ar--rtl"), literal("e_--ltr")))
    assert(read.map(_.obj) == Seq("ar--rtl", "e_--ltr").map(Literal.tagged("x", _)))
    val ok = triple(spo)
    Seq("ar--up", "ar--RTL", "ar--", "ar---ltr", "e_--x").foreach { tag =>
      rejected("a base direction, --ltr or --rtl", s"'$tag'")(triples, ok, literal(tag))
    }
    rejected("a language tag", "'--ltr'")(triples, ok, literal("--ltr"))
    ColumnReading.checkDamaged(JellyRdf, frame(triples, ok, literal("ar--up"), ok), Map.empty)
    val nested = field(12, text(2, "s"), text(6, "p"), field(11, text(2, "ar--up")))
    rejected("a base direction, --ltr or --rtl", "'ar--up'")(
      options(1, generalized = true, rdfStar = true),
      triple(text(2, "s"), text(6, "p"), nested)
    )
  }

  test("frame metadata is skipped") {
    val metadata = field(15, text(1, "k"), text(2, "v")) ++ number(15, 3)
    val bytes = sized(metadata ++ rows(triples) ++ metadata ++ rows(triple(spo)) ++ metadata)
    assert(read(bytes).length == 1)
    assert(error(sized(rows(triples) ++ hex("7a05 01"))).expected.contains("ends within its frame"))
  }

  test("rows that do not fit the physical type are an error") {
    rejected("no quad row in a stream of physical type TRIPLES", "a quad row")(triples, quad(spo))
    rejected("no graph_start row in a stream of physical type TRIPLES", "a graph_start row")(
      triples,
      graphStart(field(3))
    )
    rejected("no graph_end row in a stream of physical type TRIPLES", "a graph_end row")(
      triples,
      graphEnd
    )
    rejected("no triple row in a stream of physical type QUADS", "a triple row")(quads, triple(spo))
    rejected("no graph_start row in a stream of physical type QUADS", "a graph_start row")(
      quads,
      graphStart(field(3))
    )
    rejected("no graph_end row in a stream of physical type QUADS", "a graph_end row")(
      quads,
      graphEnd
    )
    rejected("no quad row in a stream of physical type GRAPHS", "a quad row")(
      graphs,
      graphStart(field(3)),
      quad(spo)
    )
  }

  test("in a GRAPHS stream triples must be inside a graph") {
    val start = graphStart(field(3))
    rejected("the start of a graph", "a triple")(graphs, triple(spo))
    rejected("the start of a graph", "a triple")(graphs, start, graphEnd, triple(spo))
    rejected("the start of a graph", "the end of a graph")(graphs, graphEnd)
    rejected("the start of a graph", "the end of a graph")(graphs, start, graphEnd, graphEnd)
    rejected("the end of the graph", "the start of another graph")(graphs, start, start)
    rejected("a graph", "no graph")(graphs, graphStart())
  }

  test("a stream that ends inside a graph is an error in strict mode, in its last frame") {
    val bytes = frame(graphs, graphStart(field(3)), triple(spo)) ++ frame()
    val e = error(bytes, strict)
    assert((e.expected, e.found) == (("the end of the graph", "the end of the input")))
    assert((e.offset, e.row) == ((bytes.length - 1L, -1L)))
    assert(read(bytes).length == 1)
  }

  test("versions") {
    Seq(1, 2).foreach(version => read(frame(options(version = version), quad(spo))))
    Seq(0, 3, 10001).foreach { version =>
      rejected("version 1 or 2", s"version $version")(options(version = version))
    }
    rejected("version 1 or 2", "version 4294967295")(options(version = -1))
    rejected("no namespace row in a stream of version 1", "a namespace row")(
      quads,
      name(0, "a"),
      namespace(field(2))
    )
  }

  test("physical types") {
    Seq(0, 4, -1).foreach { physical =>
      rejected("physical type 1, 2 or 3", s"physical type $physical")(options(physical))
    }
  }

  test("a logical type must fit the physical type") {
    val fitting = Map(1 -> Seq(0, 1, 3, 13), 2 -> Seq(0, 2, 4, 14, 114), 3 -> Seq(0, 2, 4, 14, 114))
    for (physical <- 1 to 3; logical <- LogicalType.values) {
      val bytes = frame(options(physical, logical.number))
      if (fitting(physical).contains(logical.number)) read(bytes)
      else {
        val e = error(bytes)
        assert(e.expected == s"a logical type that fits physical type ${physicalName(physical)}")
        assert(e.found == logical.name)
      }
    }
  }

  test("a logical type of a later version counts as its base type") {
    read(frame(options(1, 23), options(1, 23), triple(spo)))
    read(frame(options(2, 1004), quad(spo)))
    rejected("a logical type that fits physical type TRIPLES", "FLAT_QUADS")(options(1, 12))
    rejected("the options of the first options row", "different options")(
      options(1, 23),
      options(1, 3)
    )
    Seq(5, 9, 10, 15, 110, -3).foreach { logical =>
      rejected("a logical type whose last digit is from 1 to 4", s"logical type $logical")(
        options(1, logical)
      )
    }
  }

  private def physicalName(number: Int): String =
    PhysicalType.values.find(_.number == number).get.name

  test("the options row comes first, and may only be repeated unchanged") {
    rejected("an options row first", "a triple row")(triple(spo))
    rejected("an options row first", "a graph_end row")(graphEnd)
    rejected("an options row first", "a name row")(name(0, "a"))
    rejected("a row of a known kind", "a row without a known field")(Array.empty[Byte])
    rejected("a row of a known kind", "a row without a known field")(triples, field(20))
    read(frame(triples, triples, triple(spo), triples) ++ frame(triples, triple()))
    val others = Seq(
      options(2, generalized = true),
      options(1),
      options(1, generalized = true, logical = 1),
      options(1, generalized = true, version = 2),
      options(1, generalized = true, rdfStar = true),
      options(1, generalized = true, name = "x"),
      options(1, generalized = true, tables = Seq(9, 8, 8)),
      options(1, generalized = true, tables = Seq(8, 0, 8)),
      options(1, generalized = true, tables = Seq(8, 8, 9))
    )
    others.foreach(
      rejected("the options of the first options row", "different options")(triples, _)
    )
  }

  test("table sizes") {
    rejected(
      "a name table of 8 to 4096 entries (option maxNameTableSize)",
      "a name table of 7 entries"
    )(
      options(tables = Seq(7, 0, 0))
    )
    rejected(
      "a name table of 8 to 4096 entries (option maxNameTableSize)",
      "a name table of 4097 entries"
    )(
      options(tables = Seq(4097, 0, 0))
    )
    rejected(
      "a prefix table of 0 to 1024 entries (option maxPrefixTableSize)",
      "a prefix table of 4294967295 entries"
    )(
      options(tables = Seq(8, 0xffffffffL, 0))
    )
    val caps = ReadOptions(maxNameTableSize = 8, maxPrefixTableSize = 0, maxDatatypeTableSize = 0)
    read(frame(options(tables = Seq(8, 0, 0))), caps)
    error(frame(quads), caps)
  }

  test("a repeated term without a term before it is an error") {
    rejected("a subject", "no subject, and no earlier one to repeat")(triples, triple())
    rejected("a predicate", "no predicate, and no earlier one to repeat")(
      triples,
      triple(text(2, "s"))
    )
    rejected("an object", "no object, and no earlier one to repeat")(
      triples,
      triple(text(2, "s"), text(6, "p"))
    )
    rejected("all terms of a triple term", "no object")(
      triples,
      triple(spo),
      triple(field(12, text(2, "s"), text(6, "p")))
    )
    rejected("the IRI of the namespace", "no IRI")(options(version = 2), namespace(text(1, "n")))
  }

  test("a first quad without a graph is in the default graph, and an error in strict mode") {
    onlyStrict("a graph", "no graph, and no earlier one to repeat")(quads, quad(spo))
    assert(read(frame(quads, quad(spo))) == Seq(statement(s, p, o)))
    read(frame(quads, quad(spo, field(15)), quad()), strict)
  }

  test("features that the options do not announce are errors in strict mode") {
    val (subject, iri, obj) = (text(2, "s"), field(5, number(2, 1)), text(10, "o"))
    def literal(number: Int) = field(number, text(1, "x"))
    def star(row: Array[Byte]): Unit = {
      val declared = options(2, generalized = true)
      onlyStrict("no triple term, since the options do not announce RDF-star", "a triple term")(
        declared,
        name(0, "n"),
        row
      )
    }
    def general(row: Array[Byte]): Unit = {
      val declared = options(2, rdfStar = true)
      onlyStrict(
        "no generalized statement, since the options do not announce generalized statements",
        "a generalized statement"
      )(declared, name(0, "n"), row)
    }
    star(quad(subject, iri, field(12, spo), inGraph))
    star(quad(field(4, spo), iri, obj, inGraph))
    star(quad(subject, field(8, spo), obj, inGraph))
    general(quad(literal(3), iri, obj, inGraph))
    general(quad(subject, text(6, "p"), obj, inGraph))
    general(quad(subject, literal(7), obj, inGraph))
    general(quad(subject, field(8, subject, iri, obj), obj, inGraph))
    general(quad(subject, iri, field(12, spo), inGraph))
    general(quad(subject, iri, field(12, literal(3), iri, obj), inGraph))
    general(quad(subject, iri, obj, literal(16)))
    onlyStrict(
      "no generalized statement, since the options do not announce generalized statements",
      "a generalized statement"
    )(
      options(3),
      graphStart(literal(4)),
      graphEnd
    )
    val all = options(2, rdfStar = true, generalized = true)
    read(frame(all, quad(literal(3), text(6, "p"), field(12, spo), literal(16))), strict)
    read(frame(options(2), name(0, "n"), quad(subject, iri, literal(11), inGraph)), strict)
  }

  test("replacing a lookup entry does not change earlier terms") {
    val iri = field(9, number(2, 1))
    val bytes =
      frame(triples, name(1, "a"), triple(spo, iri), name(1, "b"), triple(), triple(iri))
    assert(read(bytes).map(_.obj) == Seq(Iri("a"), Iri("a"), Iri("b")))
  }

  test("repeated terms and lookup ids continue from graphs to triples, and over frames") {
    val bytes = frame(graphs, name(0, "a"), name(0, "b"), graphStart(field(1))) ++
      frame(triple(text(2, "s"), field(5), text(10, "o")), graphEnd, graphStart(field(3))) ++
      frame(triple())
    assert(
      read(bytes) == Seq(statement(s, Iri("b"), o, Iri("a")), statement(s, Iri("b"), o))
    )
  }

  test("the last field of a oneof wins, and a repeated message is merged") {
    assert(read(frame(triple(spo) ++ quads, triple(spo) ++ quad(spo))).length == 1)
    assert(
      read(frame(triples, triple(text(2, "s"), text(6, "p")) ++ triple(text(10, "o")))) ==
        Seq(statement(s, p, o))
    )
    assert(read(frame(triples, triple(spo, text(2, "x")))).map(_.subject) == Seq(BlankNode("x")))
    val twice = graphStart(text(2, "x")) ++ graphStart(text(2, "g"))
    assert(read(frame(graphs, twice, triple(spo))).map(_.graph) == Seq(g))
  }

  test("the rows before an error are returned") {
    val reader = JellyRdf
      .reader(Map.empty[String, String])
      .open(OneByteStream(frame(triples, triple(spo), field(20))), "file")
    assert(reader.next())
    val error = intercept[MalformedInputException](reader.next())
    assert(
      error.getMessage == "file: frame at byte 0, row 2: expected a row of a known kind, found a row without a known field"
    )
  }
}
