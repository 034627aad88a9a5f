package org.jellyspark.formats.jellyrdf

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.jelly.WireBytes._
import org.jellyspark.jelly.wire.{MessageWalker, Wire}

/** What is checked by the schema of Jelly-RDF; how bytes are checked does not depend on it. */
class RdfMessageWalkerSuite extends AnyFunSuite {
  import JellyRdfFields.{GraphStart, Kind, Namespace, Options}

  private def accepts(row: Array[Byte]): Boolean =
    try {
      new MessageWalker(JellyRdfFields.Rows).checkRow(row, 0, row.length)
      true
    } catch { case _: MalformedRowException => false }

  /** Rows with these bytes as a text, one row for each field that holds text. */
  private def rowsWith(bytes: Array[Byte]): Seq[Array[Byte]] = {
    def literals(number: Int) = Seq(1, 2).map(part => field(number, field(part, bytes)))
    val terms = Seq(2, 6, 10).map(field(_, bytes)) ++ Seq(3, 7, 11).flatMap(literals)
    val triples = terms ++ terms.flatMap(term => Seq(4, 8, 12).map(field(_, term)))
    val quads = triples ++ literals(16) :+ field(14, bytes)
    val starts = field(GraphStart.Bnode, bytes) +: literals(GraphStart.Literal)
    Seq(Kind.Name, Kind.Prefix, Kind.Datatype).map(field(_, field(Wire.Entry.Value, bytes))) ++
      triples.map(field(Kind.Triple, _)) ++ quads.map(field(Kind.Quad, _)) ++
      starts.map(field(Kind.GraphStart, _)) :+
      field(Kind.Namespace, field(Namespace.Name, bytes)) :+
      field(Kind.Options, field(Options.StreamName, bytes))
  }

  test("text that is not UTF-8 is an error in every field") {
    rowsWith(hex("ff")).foreach(row => assert(!accepts(row), row.toList))
    rowsWith("é😀\ufffd".getBytes("UTF-8")).foreach(row => assert(accepts(row), row.toList))
  }

  test("unknown fields are not checked") {
    assert(accepts(field(Kind.GraphEnd, field(1, hex("ff"))) ++ field(20, hex("ff"))))
    assert(accepts(field(Kind.Triple, field(14, hex("ff")))))
    assert(accepts(field(Kind.Options, field(20, hex("ff")))))
  }

  test("a field that ends after its message is an error in every message") {
    Seq("a201", "a20101", "a001", "a001ff", "a50101", "a10101").map(hex).foreach { bytes =>
      val kinds = JellyRdfFields.Rows.nameOf.keys.toSeq
      val terms =
        Seq(1, 3, 4, 5, 7, 8, 9, 11, 12).map(kind => field(Kind.Triple, field(kind, bytes)))
      val graphs = Seq(13, 15, 16).map(kind => field(Kind.Quad, field(kind, bytes)))
      val starts = Seq(1, 3, 4).map(kind => field(Kind.GraphStart, field(kind, bytes)))
      val namespace = field(Kind.Namespace, field(Namespace.Value, bytes))
      (bytes +: (kinds.map(field(_, bytes)) ++ terms ++ graphs ++ starts :+ namespace))
        .foreach(row => assert(!accepts(row), row.toList))
    }
  }

  test("at most 63 triple terms can be nested") {
    def nested(depth: Int) = (2 to depth).foldLeft(field(12))((inner, _) => field(12, inner))
    Seq(Kind.Triple, Kind.Quad).foreach { kind =>
      assert(accepts(field(kind, nested(63))))
      assert(!accepts(field(kind, nested(64))))
    }
  }
}
