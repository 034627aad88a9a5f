package org.jellyspark.formats.rdfpatchthrift

import org.scalacheck.Gen

import org.jellyspark.core.terms.{DefaultGraph, Literal, Term}
import org.jellyspark.core.{PatchRowGenerators, RowValue, TermGenerators}

/** Random rows that Jena keeps unchanged, and helpers that write and read them in memory. */
object ThriftRows {
  import PatchRowGenerators._
  import TermGenerators.{iri, iriText, text}

  // Language tags in the form to which Jena normalizes them.
  private val literal: Gen[Term] = Gen.oneOf(
    text.map(Literal.simple),
    Gen.zip(text, Gen.oneOf("en", "de-AT", "zh-Hant-TW")).map((Literal.tagged _).tupled),
    Gen.zip(text, iriText).map((Literal.typed _).tupled)
  )

  private val atom: Gen[Term] = Gen.oneOf(iri, literal, TermGenerators.blankNode)

  val term: Gen[Term] = TermGenerators.termOf(atom)

  private val graph: Gen[Term] = Gen.oneOf(Gen.const(DefaultGraph), term)

  private val row: Gen[RowValue] = Gen.frequency(
    6 -> statement(term, graph),
    1 -> header(text, term),
    1 -> prefixAdd(text, iri, graph),
    1 -> prefixDelete(text, graph),
    2 -> bare(ThriftSchema.transactionOps)
  )

  val rows: Gen[List[RowValue]] = Gen.choose(0, 20).flatMap(Gen.listOfN(_, row))

  /** Writes rows with the ordinals of a reader, so that they may break the rules on transactions.
    */
  def write(rows: Seq[RowValue]): Array[Byte] =
    RowValue.writeAsRead(rows, RdfPatchThrift.writer(Map.empty[String, String]))

  def read(bytes: Array[Byte], strict: Boolean = false): Seq[RowValue] =
    RowValue.read(bytes, RdfPatchThrift.reader(strict))
}
