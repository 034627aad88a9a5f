package org.jellyspark.formats.jellyrdf

import org.scalacheck.Gen
import org.scalatest.Assertion

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{Iri, Literal, Term}
import org.jellyspark.core.{PropertySuite, RowValue, TermGenerators}
import org.jellyspark.formats.jellyrdf.RdfGenerators._

/** Compares with Jelly-JVM: the same rows give the same bytes, and each reads the other's files. */
class JenaOracleSuite extends PropertySuite {
  import PhysicalType.{Graphs, Quads, Triples}

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 300, maxDiscardedFactor = 5)

  private def cases(
      physical: PhysicalType,
      grouped: Boolean
  ): Gen[(JellyRdfOptions, List[RowValue], List[Long])] = for {
    options <- options(physical, grouped)
    rows <- rows(options)
    frames <- frames(rows.length)
  } yield (options, rows, if (options.delimited) frames else frames.map(_ => 0L))

  /** Compares our bytes with those of the reference, and reads them with both. */
  private def agree(options: JellyRdfOptions, rows: Seq[RowValue], frames: Seq[Long])(
      reference: => Array[Byte]
  ): Assertion = {
    val bytes =
      try Some(RdfBytes.writeFramed(frames.zip(rows), options))
      catch { case e: UnwritableRowException if e.rule.contains("table of") => None }
    // For a row that needs more entries than the table has, the reference writes wrong data.
    whenever(bytes.isDefined) {
      assert(bytes.get.toSeq == reference.toSeq)
      assert(RdfBytes.read(bytes.get) == rows)
      assert(JenaJellyRdf.read(bytes.get) == rows)
    }
  }

  Seq(Triples, Quads).foreach { physical =>
    test(s"$physical, as the stream writer for Jena writes them") {
      forAll(cases(physical, grouped = false)) { case (options, rows, frames) =>
        agree(options, rows, frames)(JenaJellyRdf.write(rows, options))
      }
    }
  }

  test("GRAPHS, as the encoder writes them") {
    forAll(cases(Graphs, grouped = false)) { case (options, rows, frames) =>
      agree(options, rows, frames) {
        JenaJellyRdf.encode(options) { encoder =>
          var open: Option[Term] = None
          rows.foreach { row =>
            if (row.op == RowOp.Add && !open.contains(row.graph)) {
              open.foreach(_ => encoder.endGraph())
              encoder.startGraph(row.graph)
              open = Some(row.graph)
            }
            encoder.put(row)
            if (options.delimited && encoder.rowCount >= options.frameSize) encoder.endFrame()
          }
          open.foreach(_ => encoder.endGraph())
          if (encoder.rowCount > 0) encoder.endFrame()
        }
      }
    }
  }

  PhysicalType.values.foreach { physical =>
    test(s"$physical in frames that are elements, as the encoder writes them") {
      forAll(cases(physical, grouped = true)) { case (options, rows, frames) =>
        agree(options, rows, frames) {
          JenaJellyRdf.encode(options) { encoder =>
            elements(frames.zip(rows)).foreach { element =>
              var open: Option[Term] = None
              element.foreach { row =>
                val inGraph = physical == Graphs && row.op == RowOp.Add
                if (inGraph && !open.contains(row.graph)) {
                  open.foreach(_ => encoder.endGraph())
                  encoder.startGraph(row.graph)
                  open = Some(row.graph)
                }
                encoder.put(row)
              }
              open.foreach(_ => encoder.endGraph())
              encoder.endFrame()
            }
          }
        }
      }
    }
  }

  test("the default options are those of the stream writer for Jena") {
    import eu.neverblink.jelly.convert.jena.riot.JellyFormatVariant
    val variant = JellyFormatVariant.getDefault
    val (theirs, ours) = (variant.getOptions, JellyRdfOptions())
    assert(ours.frameSize == variant.getFrameSize && ours.delimited == variant.isDelimited)
    assert(ours.namespaces == variant.isEnableNamespaceDeclarations)
    assert(ours.terms.maxNameTableSize == theirs.getMaxNameTableSize)
    assert(ours.terms.maxPrefixTableSize == theirs.getMaxPrefixTableSize)
    assert(ours.terms.maxDatatypeTableSize == theirs.getMaxDatatypeTableSize)
    assert(ours.terms.rdfStar == theirs.getRdfStar)
    assert(ours.terms.generalized == theirs.getGeneralizedStatements)
  }

  test("a file without rows is empty, delimited or not") {
    for (physical <- Seq(Triples, Quads); delimited <- Seq(true, false)) {
      val options = JellyRdfOptions.of(physical).copy(delimited = delimited)
      assert(RdfBytes.write(Nil, options).isEmpty)
      assert(JenaJellyRdf.write(Nil, options).isEmpty)
    }
  }

  test("63 triple terms can be nested") {
    Seq(Triples, Quads).foreach { physical =>
      val rows = Seq(RdfBytes.statement(Iri("s"), Iri("p"), TermGenerators.nested(63)))
      agree(JellyRdfOptions.of(physical), rows, Seq(0L))(
        JenaJellyRdf.write(rows, JellyRdfOptions.of(physical))
      )
    }
  }

  /** The rows of each frame. */
  private def elements(rows: Seq[(Long, RowValue)]): Seq[Seq[RowValue]] =
    rows.groupBy(_._1).toSeq.sortBy(_._1).map(_._2.map(_._2))

  test("Jena reads the base direction in our tags, and writes none") {
    val (s, p) = (Iri("a:s"), Iri("a:p"))
    def row(tag: String) = RdfBytes.statement(s, p, Literal.tagged("x", tag))
    val options = JellyRdfOptions()
    val bytes = RdfBytes.write(Seq(row("ar--rtl")), options)
    assert(JenaJellyRdf.read(bytes) == Seq(row("ar--rtl")))
    val written = JenaJellyRdf.write(Seq(row("ar--rtl")), options)
    assert(written.toSeq == RdfBytes.write(Seq(row("ar")), options).toSeq)
  }
}
