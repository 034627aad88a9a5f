package org.jellyspark.formats.rdfpatchthrift

import org.scalacheck.Gen

import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{DefaultGraph, Literal, QuotedTriple, Term}
import org.jellyspark.core.{RowValue, TermGenerators}

/** Random rows that Jena holds as they are, and both directions in memory. */
object ThriftRows {
  import TermGenerators.{iri, iriText, text}

  // Canonical tags, which Jena does not change.
  private val literal: Gen[Term] = Gen.oneOf(
    text.map(Literal.simple),
    Gen.zip(text, Gen.oneOf("en", "de-AT", "zh-Hant-TW")).map((Literal.tagged _).tupled),
    Gen.zip(text, iriText).map((Literal.typed _).tupled)
  )

  private val atom: Gen[Term] = Gen.oneOf(iri, literal, TermGenerators.blankNode)

  val term: Gen[Term] = termOfDepth(3)

  private def termOfDepth(depth: Int): Gen[Term] =
    if (depth == 0) atom
    else {
      val inner = Gen.lzy(termOfDepth(depth - 1))
      Gen.frequency(4 -> atom, 1 -> Gen.zip(inner, inner, inner).map((QuotedTriple.apply _).tupled))
    }

  private val graph: Gen[Term] = Gen.oneOf(Gen.const(DefaultGraph), term)

  private val row: Gen[RowValue] = Gen.frequency(
    6 -> Gen.zip(Gen.oneOf(RowOp.Add, RowOp.Delete), term, term, term, graph).map {
      case (op, s, p, o, g) => RowValue(op, s, p, o, g)
    },
    1 -> Gen.zip(text, term).map { case (key, value) =>
      RowValue(RowOp.Header, name = key, value = value)
    },
    1 -> Gen.zip(text, iri, graph).map { case (name, value, g) =>
      RowValue(RowOp.PrefixAdd, name = name, value = value, graph = g)
    },
    1 -> Gen.zip(text, graph).map { case (name, g) =>
      RowValue(RowOp.PrefixDelete, name = name, graph = g)
    },
    2 -> Gen.oneOf(ThriftSchema.transactionOps).map(RowValue(_))
  )

  val rows: Gen[List[RowValue]] = Gen.choose(0, 20).flatMap(Gen.listOfN(_, row))

  /** With the ordinals of a reader: the rows' transactions need not be in order. */
  def write(rows: Seq[RowValue]): Array[Byte] =
    RowValue.writeAsRead(rows, RdfPatchThrift.writer(Map.empty[String, String]))

  def read(bytes: Array[Byte], strict: Boolean = false): Seq[RowValue] =
    RowValue.read(bytes, RdfPatchThrift.reader(strict))
}
