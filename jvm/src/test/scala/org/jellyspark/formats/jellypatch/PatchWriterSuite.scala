package org.jellyspark.formats.jellypatch

import java.io.ByteArrayOutputStream

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.RowValue.{add, header, ofCodes, writeRows}
import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.terms.{BlankNode, DefaultGraph, Iri, Literal, TripleTerm, Term}
import org.jellyspark.core.{RowValue, TermGenerators}
import org.jellyspark.formats.jellypatch.PatchBytes._
import org.jellyspark.jelly.TermOptions
import org.jellyspark.jelly.frames.FrameReader

class PatchWriterSuite extends AnyFunSuite {

  private val frameStream = JellyPatchOptions(streamType = StreamType.Frame)

  private def ruleFor(rows: RowValue*)(options: JellyPatchOptions): String =
    intercept[UnwritableRowException](write(rows, options)).rule

  /** Writes rows with these patch and row ordinals, and reads back their codes. */
  private def codes(numbered: (String, Long, Long)*): String = {
    val rows = numbered.map { case (code, patch, seq) =>
      ofCodes(code).head.toRow(patch, seq = seq)
    }
    read(writeRows(rows, JellyPatch.writer(JellyPatchOptions()))).map(_.op.code).mkString(" ")
  }

  private val no = Row.NoNumber

  test("a file without rows is empty") {
    Seq(JellyPatchOptions(), frameStream, JellyPatchOptions(delimited = false))
      .foreach(options => assert(write(Nil, options).isEmpty))
  }

  test("a new value of patch ends a patch, unless the row before is an END") {
    assert(codes(("A", 0, no), ("A", 0, no), ("A", 1, no)) == "A A END A")
    assert(codes(("A", 0, no), ("END", 0, no), ("A", 1, no)) == "A END A")
    assert(codes(("A", no, no), ("A", 3, no), ("A", no, no)) == "A END A END A")
    assert(codes(("A", 5, no)) == "A")
  }

  test("END in a FRAME stream ends the frame, even an empty one") {
    assert(write(ofCodes("END END"), frameStream).toSeq == Seq[Byte](0, 0))
    assert(
      read(write(ofCodes("A END A"), frameStream)).map(_.op.code) == Seq("A", "END", "A", "END")
    )
  }

  test("END is not written to undelimited output that is not PUNCTUATED") {
    Seq(StreamType.Frame, StreamType.Flat).foreach { stream =>
      val options = JellyPatchOptions(streamType = stream, delimited = false)
      assert(write(ofCodes("A END A END"), options).toSeq == write(ofCodes("A A"), options).toSeq)
    }
  }

  test("a frame ends at frameSize rows, lookup and options rows included") {
    val bytes = write(ofCodes("A A A"), JellyPatchOptions(frameSize = 1))
    val reader = new FrameReader(new java.io.ByteArrayInputStream(bytes), "file")
    val ends = Iterator
      .continually(reader.next())
      .takeWhile(_ != FrameReader.StreamEnd)
      .count(_ == FrameReader.FrameEnd)
    assert(ends == 3)
  }

  test("a transaction must begin and end in its patch") {
    Seq("TX", "TX TX", "TX END", "TX A END TC", "TX TC TX", "TC", "TX TC TA").foreach { codes =>
      withClue(codes)(assertThrows[UnwritableRowException](write(ofCodes(codes))))
    }
    Seq("TX TC", "TX TA END TX A TC").foreach(codes => write(ofCodes(codes)))
    assertThrows[UnwritableRowException](codes(("TX", 0, no), ("TC", 1, no)))
  }

  test("rows in the order of their file may break the rules on transactions") {
    assert(codes(("TX", 0, 0), ("END", 0, 1), ("A", 1, 2)) == "TX END A")
    assert(codes(("TX", 0, 0), ("TX", 0, 1), ("TC", 0, 2), ("TC", 0, 3)) == "TX TX TC TC")
    assert(codes(("TX", 0, 0), ("TC", 0, 1), ("TX", 0, 0), ("TX", 0, 1)) == "TX TC TX TX")
  }

  test("a gap in seq ends this exception") {
    assertThrows[UnwritableRowException](codes(("TX", 0, 0), ("END", 0, 2)))
    assertThrows[UnwritableRowException](codes(("TX", 0, 0), ("TX", 0, 2), ("TC", 0, 3)))
    assertThrows[UnwritableRowException](codes(("A", 0, 1), ("TC", 0, 2)))
    assertThrows[UnwritableRowException](codes(("A", 0, 0), ("TX", 0, 2), ("A", 0, 3)))
    assertThrows[UnwritableRowException](codes(("TX", 0, 0), ("A", 1, 5)))
    assert(codes(("TX", 0, 0), ("A", 0, no), ("TC", 0, 1)) == "TX A TC")
  }

  test("incomplete rows are refused") {
    Seq(
      RowValue(RowOp.Add, null, Iri("p"), Iri("o")),
      RowValue(RowOp.Delete, Iri("s"), null, Iri("o")),
      RowValue(RowOp.Add, Iri("s"), Iri("p"), null),
      RowValue(RowOp.Header, value = Iri("v")),
      RowValue(RowOp.Header, name = "k"),
      RowValue(RowOp.PrefixAdd, name = "n"),
      RowValue(RowOp.PrefixAdd, value = Iri("v")),
      RowValue(RowOp.PrefixDelete, value = Iri("v")),
      RowValue(RowOp.PrefixAdd, name = "n", value = Literal.simple("v"))
    ).foreach(row => withClue(row)(ruleFor(row)(JellyPatchOptions())))
    write(Seq(RowValue(RowOp.PrefixDelete, name = "n")))
  }

  test("rows that the options do not allow are refused") {
    val triple = TripleTerm(Iri("s"), Iri("p"), Iri("o"))
    val literal = Literal.simple("x")
    ruleFor(add(Iri("s"), Iri("g")))(JellyPatchOptions(statementType = StatementType.Triples))
    ruleFor(header(triple))(JellyPatchOptions(terms = TermOptions(rdfStar = false)))
    ruleFor(header(Literal.typed("x", "d")))(
      JellyPatchOptions(terms = TermOptions(maxDatatypeTableSize = 0))
    )
    ruleFor(add(Iri("s"), triple))(JellyPatchOptions())
    val plain = JellyPatchOptions(terms = TermOptions(generalized = false))
    ruleFor(RowValue(RowOp.Add, literal, Iri("p"), Iri("o")))(plain)
    ruleFor(RowValue(RowOp.Add, Iri("s"), BlankNode("p"), Iri("o")))(plain)
    ruleFor(RowValue(RowOp.Add, Iri("s"), Iri("p"), literal, literal))(plain)
    ruleFor(RowValue(RowOp.PrefixDelete, name = "n", graph = literal))(plain)
    ruleFor(header(TripleTerm(literal, Iri("p"), Iri("o"))))(plain)
    write(Seq(header(literal), add(Iri("s"), BlankNode("g"))), plain)
  }

  test("at most 63 triple terms can be nested, which is the readers' limit") {
    write(Seq(header(TermGenerators.nested(63))))
    ruleFor(header(TermGenerators.nested(64)))(JellyPatchOptions())
  }

  test("a row that needs more lookup entries than the table has is refused") {
    val two = JellyPatchOptions(terms = TermOptions(maxPrefixTableSize = 2))
    def statement(graph: Term) =
      RowValue(RowOp.Add, Iri("http://a/x"), Iri("http://b/x"), Iri("http://a/y"), graph)
    assert(ruleFor(statement(Iri("http://c/x")))(two).contains("prefix"))
    val rows = Seq(statement(DefaultGraph), header(Iri("http://c/x")), statement(Iri("http://b/z")))
    assert(read(write(rows, two)) == rows)
  }

  test("an error shows the row's content") {
    val error = intercept[UnwritableRowException] {
      write(
        Seq(header(TermGenerators.nested(63))),
        JellyPatchOptions(terms = TermOptions(rdfStar = false))
      )
    }
    assert(error.row.startsWith("""{"op":"H","name":"k","value":"<<( <s> <p> """))
    assert(error.row.length < 300)
    assert(error.getMessage == s"${error.rule}; in row ${error.row}")
  }

  test("nothing is written after an error") {
    val out = new ByteArrayOutputStream
    val writer = JellyPatch.writer(JellyPatchOptions()).open(out)
    writer.write(add(Iri("s")).toRow())
    assertThrows[UnwritableRowException](writer.write(RowValue(RowOp.Add).toRow()))
    assertThrows[IllegalStateException](writer.write(add(Iri("s")).toRow()))
    writer.finish()
    assert(out.size == 0)
  }

  test("PA without a graph repeats the default graph, not a named one") {
    val rows = Seq(
      RowValue(RowOp.PrefixAdd, name = "n", value = Iri("v")),
      add(Iri("s"), Iri("g")),
      RowValue(RowOp.PrefixAdd, name = "n", value = Iri("v")),
      add(Iri("s"))
    )
    assert(read(write(rows)) == rows)
  }
}
