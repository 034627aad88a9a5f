package org.jellyspark.formats.jellyrdf

import org.scalacheck.Gen
import org.scalactic.anyvals.PosInt

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.terms.{DefaultGraph, Term}
import org.jellyspark.core.{OneByteStream, PropertySuite, RowValue, TermGenerators}
import org.jellyspark.formats.jellyrdf.RdfGenerators._
import org.jellyspark.jelly.{ReadOptions, TermOptions}

class RdfRoundTripSuite extends PropertySuite {

  override protected def examples: PosInt = 300

  private val terms: Gen[(Term, Term, Term, Term)] = {
    import TermGenerators._
    Gen.zip(term, term, term, graph)
  }

  test("any terms survive a round trip in each physical type") {
    forAll(terms, Gen.oneOf(PhysicalType.values)) { case ((s, p, o, g), physical) =>
      val graph = if (physical == PhysicalType.Triples) DefaultGraph else g
      val rows = Seq(RdfBytes.statement(s, p, o, graph), RdfBytes.statement(o, p, s, graph))
      assert(RdfBytes.read(RdfBytes.write(rows, JellyRdfOptions.of(physical))) == rows)
    }
  }

  test("reading and writing a file gives the same bytes, which are valid in strict mode") {
    forAll(cases) { case (options, rows) =>
      val bytes = RdfBytes.write(rows, options)
      val read = RdfBytes.readFramed(bytes)
      assert(read.map(_._2) == rows)
      assert(RdfBytes.read(bytes, RdfBytes.strict) == rows)
      assert(RdfBytes.writeFramed(read, options).toSeq == bytes.toSeq)
    }
  }

  test("grouped streams keep their frames in a round trip") {
    forAll(cases) { case (options, rows) =>
      whenever(options.logicalType.isGrouped && options.delimited) {
        val framed = rows.zipWithIndex.map { case (row, i) => (i / 3).toLong -> row }
        assert(RdfBytes.readFramed(RdfBytes.writeFramed(framed, options)) == framed)
      }
    }
  }

  test("a stream may return one byte at a time") {
    forAll(cases) { case (options, rows) =>
      val in = OneByteStream(RdfBytes.write(rows, options))
      val reader = JellyRdf.reader(ReadOptions(), namespaces = true).open(in, "file")
      rows.foreach { row =>
        assert(reader.next())
        assert(RowValue.of(reader.row) == row)
      }
      assert(!reader.next())
    }
  }

  test("with small lookup tables rows are refused or survive a round trip") {
    forAll(cases, Gen.choose(0, 3), Gen.choose(1, 3)) {
      case ((options, rows), prefixes, datatypes) =>
        val small = options.copy(terms = TermOptions(8, prefixes, datatypes))
        try assert(RdfBytes.read(RdfBytes.write(rows, small)) == rows)
        catch { case e: UnwritableRowException => assert(e.rule.contains("table of")) }
    }
  }
}
