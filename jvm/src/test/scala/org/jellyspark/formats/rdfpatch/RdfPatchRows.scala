package org.jellyspark.formats.rdfpatch

import org.scalacheck.Gen

import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{DefaultGraph, Iri, Literal, Term}
import org.jellyspark.core.{PatchRowGenerators, RowValue, TermGenerators}

/** Random rows with terms and names that need care in RDF Patch's syntax. */
private[rdfpatch] object RdfPatchRows {
  import PatchRowGenerators._

  private val xsd = "http://www.w3.org/2001/XMLSchema#"

  /** Literals that are numbers, or almost. */
  private val number: Gen[Term] = for {
    parts <- Gen.someOf("+", "-", "1", "20", ".", "5", "e", "E", "+", "3")
    datatype <- Gen.oneOf("integer", "decimal", "double", "boolean", "float")
  } yield Literal.typed(parts.mkString, xsd + datatype)

  private val plainLiteral: Gen[Term] = Gen.oneOf(
    Gen.alphaNumStr.map(Literal.simple),
    Gen
      .oneOf("en", "en-US", "de", "en--ltr", "ar-EG--rtl", "EN", "en_US", "a1")
      .map(Literal.tagged("x", _)),
    Gen.oneOf("true", "false", "1").map(Literal.typed(_, xsd + "boolean"))
  )

  private val name = Gen.oneOf(
    Gen.identifier,
    TermGenerators.text,
    Gen.oneOf("", "a.b", "a.", "a-b", "1a", "é", "a:b", "R", "\"a\"", "😀", "true")
  )

  val term: Gen[Term] =
    Gen.frequency(
      4 -> TermGenerators.term,
      1 -> number,
      1 -> plainLiteral,
      1 -> Gen.const(Iri("p"))
    )

  val graph: Gen[Term] = Gen.frequency(
    3 -> Gen.const(DefaultGraph),
    3 -> TermGenerators.graph
  )

  private val bareOps =
    Seq(RowOp.TransactionStart, RowOp.TransactionCommit, RowOp.TransactionAbort, RowOp.End)

  val row: Gen[RowValue] = Gen.frequency(
    6 -> statement(term, graph),
    1 -> prefixAdd(name, TermGenerators.iri, graph),
    1 -> prefixDelete(name, graph),
    1 -> header(name, term),
    1 -> bare(bareOps)
  )
}
