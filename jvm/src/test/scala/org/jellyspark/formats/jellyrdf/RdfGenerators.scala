package org.jellyspark.formats.jellyrdf

import org.scalacheck.Gen

import org.jellyspark.core.RowValue
import org.jellyspark.core.TermGenerators._
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{BlankNode, DefaultGraph, Iri, Literal, QuotedTriple, Term}
import org.jellyspark.jelly.TermOptions

/** Random rows, of terms that come again, and options for them. */
object RdfGenerators {

  /** Terms out of few, so that lookups are hit, and evict. Jena knows all of them as they are. */
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

  /** Odd texts too, but no tags that Jena would change. */
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
      Gen.frequency(8 -> atom, 1 -> Gen.zip(inner, inner, inner).map((QuotedTriple.apply _).tupled))
    }
  }

  private val anyTerm = termOfDepth(2)

  /** Graphs of which one mostly goes on. */
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

  /** The row, with terms of the row before it, by bits. */
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

  /** Numbers of frames for rows: they grow, by more than one at times. */
  def frames(count: Int): Gen[List[Long]] =
    Gen
      .listOfN(count, Gen.frequency(5 -> Gen.const(0L), 2 -> Gen.const(1L), 1 -> Gen.const(3L)))
      .map(_.scanLeft(0L)(_ + _).drop(1))

  /** Options, of logical types that group statements or not. */
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

  /** Options under which all rows can be written, and rows for them. */
  val cases: Gen[(JellyRdfOptions, List[RowValue])] = for {
    physical <- Gen.oneOf(PhysicalType.values)
    grouped <- Gen.oneOf(true, false)
    options <- options(physical, grouped)
    rows <- rows(options)
  } yield (options.copy(terms = TermOptions(4000, 150, 150)), rows)
}
