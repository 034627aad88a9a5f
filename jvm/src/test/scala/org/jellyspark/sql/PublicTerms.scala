package org.jellyspark.sql

import org.scalacheck.Gen

import org.jellyspark.core.TermGenerators
import org.jellyspark.core.terms.{NTriples, Term => CodecTerm}

/** Random terms and operations. */
object PublicTerms {
  val term: Gen[Term] = of(TermGenerators.term)

  val iri: Gen[Iri] = TermGenerators.iriText.map(Iri(_))

  private val graph: Gen[Option[Term]] =
    Gen.option(of(Gen.oneOf(TermGenerators.iri, TermGenerators.blankNode)))

  val operation: Gen[PatchOperation] = {
    import PatchOperation._
    val text = TermGenerators.text
    val statement = Gen.zip(term, term, term, graph)
    Gen.oneOf(
      statement.map((Add.apply _).tupled),
      statement.map((Delete.apply _).tupled),
      Gen.zip(text, term).map((Header.apply _).tupled),
      Gen.zip(text, iri, graph).map((PrefixAdd.apply _).tupled),
      Gen.zip(text, Gen.option(iri), graph).map((PrefixDelete.apply _).tupled),
      Gen.oneOf(TransactionBegin, TransactionCommit, TransactionAbort, End)
    )
  }

  private def of(terms: Gen[CodecTerm]): Gen[Term] =
    terms.map(term => Term.parse(NTriples.format(term)))
}
