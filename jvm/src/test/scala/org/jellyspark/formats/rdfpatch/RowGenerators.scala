package org.jellyspark.formats.rdfpatch

import org.scalacheck.Gen

import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{DefaultGraph, Iri, Literal, Term}
import org.jellyspark.core.{RowValue, TermGenerators}

/** Random rows, with all that is easily written wrong. */
private[rdfpatch] object RowGenerators {
  private val xsd = "http://www.w3.org/2001/XMLSchema#"

  /** What numbers look like, or nearly. */
  private val number: Gen[Term] = for {
    parts <- Gen.someOf("+", "-", "1", "20", ".", "5", "e", "E", "+", "3")
    datatype <- Gen.oneOf("integer", "decimal", "double", "boolean", "float")
  } yield Literal.typed(parts.mkString, xsd + datatype)

  private val plainLiteral: Gen[Term] = Gen.oneOf(
    Gen.alphaNumStr.map(Literal.simple),
    Gen.oneOf("en", "en-US", "de", "en--ltr", "EN", "en_US", "a1").map(Literal.tagged("x", _)),
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
    3 -> TermGenerators.graph,
    1 -> Gen.oneOf("urn:x-arq:DefaultGraph", "urn:x-arq:DefaultGraphNode").map(Iri)
  )

  private val statement: Gen[RowValue] = for {
    op <- Gen.oneOf(RowOp.Add, RowOp.Delete)
    (s, p, o) <- Gen.zip(term, term, term)
    graph <- graph
  } yield RowValue(op, s, p, o, graph)

  private val prefix: Gen[RowValue] = for {
    (name, iri, graph) <- Gen.zip(name, TermGenerators.iriText, graph)
    isAdded <- Gen.oneOf(true, false)
  } yield
    if (isAdded) RowValue(RowOp.PrefixAdd, name = name, value = Iri(iri), graph = graph)
    else RowValue(RowOp.PrefixDelete, name = name, graph = graph)

  private val header: Gen[RowValue] =
    Gen.zip(name, term).map { case (name, value) =>
      RowValue(RowOp.Header, null, name = name, value = value)
    }

  private val bare: Gen[RowValue] = Gen
    .oneOf(
      RowOp.TransactionStart,
      RowOp.TransactionCommit,
      RowOp.TransactionAbort,
      RowOp.End
    )
    .map(RowValue(_))

  val row: Gen[RowValue] = Gen.frequency(6 -> statement, 2 -> prefix, 1 -> header, 1 -> bare)
}
