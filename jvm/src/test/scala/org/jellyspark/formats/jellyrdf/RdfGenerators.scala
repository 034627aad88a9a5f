package org.jellyspark.formats.jellyrdf

import org.scalacheck.Gen

import org.jellyspark.core.RowValue
import org.jellyspark.core.TermGenerators._
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{BlankNode, DefaultGraph, Iri, Literal, TripleTerm, Term}
import org.jellyspark.jelly.TermOptions

/** Random options and rows, with repeated terms. */
object RdfGenerators {

  /** Few different terms, so that lookup entries are reused and evicted. Jena keeps them unchanged.
    */
  private val commonTerm: Gen[Term] = {
    val iri = Gen.zip(
      Gen.oneOf("http://a.example/", "http://b.example/x#", "http://c.example/y/", "urn:x:", ""),
      Gen.choose(0, 12)
    )
    val datatypes = Gen.choose(0, 5).map("http://d.example/" + _)
    Gen.frequency(
      6 -> iri.map { case (prefix, name) => Iri(s"${prefix}n$name") },
      2 -> Gen.choose(0, 5).map(label => BlankNode(s"b$label")),
      1 -> Gen.choose(0, 9).map(number => Literal.simple(number.toString)),
      1 -> Gen.oneOf("en", "de-AT").map(Literal.tagged("x", _)),
      2 -> Gen.zip(Gen.choose(0, 3).map(_.toString), datatypes).map { case (lex, datatype) =>
        Literal.typed(lex, datatype)
      }
    )
  }

  /** Any text, but only language tags that Jena keeps unchanged. */
  private val oddTerm: Gen[Term] = Gen.oneOf(
    iri,
    blankNode,
    text.map(Literal.simple),
    Gen.zip(text, iriText).map { case (lex, datatype) => Literal.typed(lex, "d" + datatype) }
  )

  private def termOfDepth(depth: Int): Gen[Term] = {
    val atom = Gen.frequency(8 -> commonTerm, 1 -> oddTerm)
    if (depth == 0) atom
    else {
      val inner = Gen.lzy(termOfDepth(depth - 1))
      Gen.frequency(8 -> atom, 1 -> Gen.zip(inner, inner, inner).map((TripleTerm.apply _).tupled))
    }
  }

  private val anyTerm = termOfDepth(2)

  /** Few different graphs, one of them most of the time. */
  private val graphTerm: Gen[Term] = Gen.frequency(
    4 -> Gen.const(DefaultGraph),
    6 -> Gen.choose(0, 2).map(n => Iri(s"http://g.example/$n")),
    1 -> commonTerm
  )

  private val namespaceRow: Gen[RowValue] =
    Gen
      .zip(Gen.oneOf(text, Gen.const("ex")), Gen.oneOf(iriText, Gen.const("http://a.example/")))
      .map { case (name, iri) => RdfBytes.namespace(name, iri) }

  /** Rows for a stream with these options. */
  def rows(options: JellyRdfOptions): Gen[List[RowValue]] = {
    val graphs =
      if (options.physicalType == PhysicalType.Triples) Gen.const(DefaultGraph) else graphTerm
    val statementRow = Gen.zip(anyTerm, anyTerm, anyTerm, graphs).map { case (s, p, o, g) =>
      RdfBytes.statement(s, p, o, g)
    }
    val row =
      if (options.namespaces) Gen.frequency(8 -> statementRow, 1 -> namespaceRow) else statementRow
    for {
      size <- Gen.choose(0, 60)
      rows <- Gen.listOfN(size, row)
      repeated <- Gen.listOfN(size, Gen.choose(0, 7))
    } yield rows.zip(repeated).scanLeft(Option.empty[RowValue])(repeat).flatten
  }

  /** A row with some terms of the row before, as the bits say. */
  private def repeat(before: Option[RowValue], next: (RowValue, Int)): Option[RowValue] = {
    val (row, bits) = next
    val last = before.filter(_.op == RowOp.Add).filter(_ => row.op == RowOp.Add).getOrElse(row)
    Some(
      row.copy(
        subject = if ((bits & 1) != 0) last.subject else row.subject,
        predicate = if ((bits & 2) != 0) last.predicate else row.predicate,
        graph = if ((bits & 4) != 0) last.graph else row.graph
      )
    )
  }

  /** Ascending frame ordinals, some of them with gaps. */
  def frames(count: Int): Gen[List[Long]] =
    Gen
      .listOfN(count, Gen.frequency(5 -> Gen.const(0L), 2 -> Gen.const(1L), 1 -> Gen.const(3L)))
      .map(_.scanLeft(0L)(_ + _).drop(1))

  /** Options with a grouped or flat logical type. */
  def options(physical: PhysicalType, grouped: Boolean): Gen[JellyRdfOptions] = for {
    logical <- Gen.oneOf(
      LogicalType.values.filter(logical => logical.fits(physical) && logical.isGrouped == grouped)
    )
    name <- Gen.oneOf(Gen.const(""), text)
    names <- Gen.oneOf(8, 12, 4000)
    prefixes <- Gen.oneOf(0, 4, 5, 150)
    datatypes <- Gen.oneOf(4, 32)
    frameSize <- Gen.oneOf(1, 2, 3, 7, 256)
    delimited <- Gen.frequency(3 -> true, 1 -> false)
    namespaces <- Gen.oneOf(true, false)
  } yield JellyRdfOptions(
    physical,
    logical,
    name,
    TermOptions(names, prefixes, datatypes),
    frameSize,
    delimited,
    namespaces
  )

  /** Options, and rows that can be written with them. */
  val cases: Gen[(JellyRdfOptions, List[RowValue])] = for {
    physical <- Gen.oneOf(PhysicalType.values)
    grouped <- Gen.oneOf(true, false)
    options <- options(physical, grouped)
    rows <- rows(options)
  } yield (options.copy(terms = TermOptions(4000, 150, 150)), rows)
}
