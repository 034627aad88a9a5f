package org.jellyspark.formats.jellyrdf

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.terms.{BlankNode, Iri, Literal, TripleTerm}
import org.jellyspark.core.{RowValue, TermGenerators}
import org.jellyspark.formats.jellyrdf.RdfBytes._
import org.jellyspark.jelly.TermOptions
import org.jellyspark.jelly.frames.FrameReader

/** Writing Jelly-RDF, beyond the comparison with the reference. */
class RdfWriterSuite extends AnyFunSuite {
  import PhysicalType.{Graphs, Quads, Triples}

  private val iris = Seq("s", "p", "o").map(Iri)
  private val row = statement(iris(0), iris(1), iris(2))
  private val inG = row.copy(graph = Iri("g"))
  private val withNamespaces = JellyRdfOptions(namespaces = true)

  private def ruleFor(rows: RowValue*)(options: JellyRdfOptions): String =
    intercept[UnwritableRowException](write(rows, options)).rule

  /** The number of rows in each frame, lookup and options rows included. */
  private def frameSizes(bytes: Array[Byte]): Seq[Long] = {
    val reader = new FrameReader(new ByteArrayInputStream(bytes), "file")
    Iterator
      .continually(reader.next())
      .takeWhile(_ != FrameReader.StreamEnd)
      .filter(_ == FrameReader.FrameEnd)
      .map(_ => reader.rowIndex + 1)
      .toList
  }

  test("a file without rows is empty") {
    for (physical <- PhysicalType.values; delimited <- Seq(true, false)) {
      assert(write(Nil, JellyRdfOptions.of(physical).copy(delimited = delimited)).isEmpty)
    }
  }

  test("a frame ends at frameSize rows, and a graph continues in the next frame") {
    // Options, prefix, three names, statement; a statement.
    assert(frameSizes(write(Seq(row, row), JellyRdfOptions(frameSize = 6))) == Seq(6, 1))
    assert(frameSizes(write(Seq(row, row), JellyRdfOptions(frameSize = 7))) == Seq(7))
    val graphs = JellyRdfOptions.of(Graphs).copy(frameSize = 2)
    val bytes = write(Seq(row, row, row), graphs)
    // With the start of the graph; the last frame has its end.
    assert(frameSizes(bytes) == Seq(7, 2, 1))
    assert(readFramed(bytes) == Seq(0L -> row, 1L -> row, 1L -> row).zipWithIndex.map {
      case ((_, row), i) => (if (i == 0) 0L else 1L) -> row
    })
  }

  test("a graph starts where it differs from that of the statement before") {
    val rows = Seq(row, row, inG, RdfBytes.namespace("n", "x"), inG, row)
    val bytes = write(rows, JellyRdfOptions.of(Graphs).copy(namespaces = true))
    assert(read(bytes, strict) == rows)
    // Options; 5 entries; 3 starts and ends of graphs; the rows.
    assert(frameSizes(bytes).sum == 1 + 6 + 3 * 2 + rows.length)
  }

  test("in grouped streams a new value of frame ends a frame, whatever its size") {
    for (physical <- PhysicalType.values) {
      val logical = if (physical == Triples) LogicalType.SubjectGraphs else LogicalType.NamedGraphs
      val options = JellyRdfOptions(physical, logical, frameSize = 1)
      val graph = if (physical == Triples) row else inG
      val rows = Seq(7L -> graph, 7L -> graph, 9L -> graph, 0L -> graph)
      assert(readFramed(writeFramed(rows, options)).map(_._1) == Seq(0, 0, 1, 2))
      val none = Row.NoNumber
      val some = Seq(none -> graph, none -> graph, 0L -> graph)
      assert(readFramed(writeFramed(some, options)).map(_._1) == Seq(0, 0, 1))
    }
  }

  test("a graph ends with its frame in grouped streams") {
    val options = JellyRdfOptions(Graphs, LogicalType.Datasets)
    val bytes = writeFramed(Seq(0L -> inG, 1L -> inG), options)
    // Options, prefix, four names, start, statement, end; start, statement, end.
    assert(frameSizes(bytes) == Seq(9, 3))
    assert(readFramed(bytes) == Seq(0L -> inG, 1L -> inG))
  }

  test("the column frame is ignored in flat streams") {
    val rows = Seq(0L -> row, 1L -> row)
    assert(frameSizes(writeFramed(rows, JellyRdfOptions())) == Seq(7))
    val unspecified = JellyRdfOptions(logicalType = LogicalType.Unspecified)
    assert(frameSizes(writeFramed(rows, unspecified)) == Seq(7))
  }

  test("undelimited output of a grouped stream holds one frame") {
    val options = JellyRdfOptions(logicalType = LogicalType.Datasets, delimited = false)
    assert(writeFramed(Seq(3L -> row, 3L -> row), options).nonEmpty)
    val error = intercept[UnwritableRowException](writeFramed(Seq(0L -> row, 1L -> row), options))
    assert(error.rule == "an undelimited stream can hold only one frame: set delimited to true")
  }

  test("the option namespaces gives version 2") {
    val rows = Seq(RdfBytes.namespace("ex", "http://x/"), row, RdfBytes.namespace("", "http://x/"))
    assert(read(write(rows, withNamespaces)) == rows)
    assert(
      ruleFor(rows: _*)(
        JellyRdfOptions()
      ) == "a namespace needs the option namespaces: set it to true"
    )
  }

  test("incomplete and ambiguous rows are refused") {
    val namespace = RdfBytes.namespace("n", "x")
    val missing = "a statement needs a subject, a predicate and an object"
    val mixed = "a row must be a statement or a namespace, not both"
    val cases = Seq(
      row.copy(subject = null) -> missing,
      row.copy(predicate = null) -> missing,
      row.copy(obj = null) -> missing,
      namespace.copy(subject = Iri("s")) -> mixed,
      namespace.copy(predicate = Iri("s")) -> mixed,
      namespace.copy(obj = Iri("s")) -> mixed,
      namespace.copy(graph = Iri("s")) -> mixed,
      namespace.copy(value = null) -> "a namespace needs a name and a value",
      namespace.copy(value = BlankNode("x")) -> "the value of a namespace must be an IRI"
    )
    cases.foreach { case (row, rule) => assert(ruleFor(row)(withNamespaces) == rule) }
    RowOp.values.filter(op => op != RowOp.Add && op != RowOp.PrefixAdd).foreach { op =>
      assert(
        ruleFor(row.copy(op = op))(withNamespaces) ==
          "a Jelly-RDF stream can hold only statements and namespaces"
      )
    }
  }

  test("rows that the options do not allow are refused") {
    val triple = TripleTerm(Iri("s"), Iri("p"), Iri("o"))
    val literal = Literal.simple("x")
    assert(
      ruleFor(inG)(
        JellyRdfOptions.of(Triples)
      ) == "a stream of triples cannot hold a graph: set physicalType to QUADS or GRAPHS"
    )
    PhysicalType.values.foreach { physical =>
      val options = JellyRdfOptions.of(physical)
      def having(terms: TermOptions) = options.copy(terms = terms)
      ruleFor(row.copy(obj = triple))(having(TermOptions(rdfStar = false)))
      ruleFor(row.copy(obj = Literal.typed("x", "d")))(
        having(TermOptions(maxDatatypeTableSize = 0))
      )
      val plain = having(TermOptions(generalized = false))
      ruleFor(row.copy(subject = literal))(plain)
      ruleFor(row.copy(predicate = BlankNode("p")))(plain)
      ruleFor(row.copy(obj = TripleTerm(literal, Iri("p"), Iri("o"))))(plain)
      ruleFor(row.copy(obj = TermGenerators.nested(64)))(options)
      write(Seq(row.copy(subject = BlankNode("s"), obj = literal)), plain)
    }
    Seq(Quads, Graphs).foreach { physical =>
      val options = JellyRdfOptions.of(physical)
      assert(ruleFor(row.copy(graph = triple))(options) == "a graph cannot be a triple term")
      ruleFor(row.copy(graph = literal))(
        options.copy(terms = TermOptions(generalized = false))
      )
      assert(read(write(Seq(row.copy(graph = literal)), options)).map(_.graph) == Seq(literal))
    }
  }

  test("a row that needs more lookup entries than the table has is refused") {
    val (a, b, c) = (Iri("http://a/x"), Iri("http://b/x"), Iri("http://c/x"))
    def options(physical: PhysicalType, prefixes: Int) =
      JellyRdfOptions.of(physical).copy(terms = TermOptions(maxPrefixTableSize = prefixes))
    val quad = statement(a, b, a, c)
    assert(ruleFor(quad)(options(Quads, 2)).contains("prefix table of 2"))
    assert(ruleFor(statement(a, b, c))(options(Triples, 2)).contains("prefix table of 2"))
    // The graph has a row of its own.
    assert(read(write(Seq(quad, quad), options(Graphs, 2))) == Seq(quad, quad))
    val rows = Seq(statement(a, b, a), statement(a, c, a), statement(b, c, b))
    assert(read(write(rows, options(Triples, 2))) == rows)
  }

  test("an error shows the row's content in the order of the columns") {
    val error = intercept[UnwritableRowException] {
      RowValue.writeRows(
        Seq(row.copy(obj = null, graph = Iri("g")).toRow(frame = 2, seq = 5)),
        JellyRdf.writer(JellyRdfOptions())
      )
    }
    assert(
      error.row == """{"subject":"<s>","predicate":"<p>","graph":"<g>","frame":2,"seq":5}"""
    )
  }

  test("nothing is written after an error") {
    val out = new ByteArrayOutputStream
    val writer = JellyRdf.writer(JellyRdfOptions.of(Graphs)).open(out)
    writer.write(row.toRow())
    assertThrows[UnwritableRowException](writer.write(row.copy(obj = null).toRow()))
    assertThrows[IllegalStateException](writer.write(row.toRow()))
    writer.finish()
    assert(out.size == 0)
  }
}
