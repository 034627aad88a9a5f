package org.jellyspark.core

import org.scalacheck.Gen

import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.Term

/** Random rows of patches, of given terms and names. */
object PatchRowGenerators {
  def statement(term: Gen[Term], graph: Gen[Term]): Gen[RowValue] =
    Gen.zip(Gen.oneOf(RowOp.Add, RowOp.Delete), term, term, term, graph).map {
      case (op, s, p, o, g) => RowValue(op, s, p, o, g)
    }

  def header(name: Gen[String], value: Gen[Term]): Gen[RowValue] =
    Gen.zip(name, value).map { case (name, value) =>
      RowValue(RowOp.Header, name = name, value = value)
    }

  def prefixAdd(name: Gen[String], iri: Gen[Term], graph: Gen[Term]): Gen[RowValue] =
    Gen.zip(name, iri, graph).map { case (name, iri, g) =>
      RowValue(RowOp.PrefixAdd, name = name, value = iri, graph = g)
    }

  /** `PD` rows without an IRI, which only some formats can hold. */
  def prefixDelete(name: Gen[String], graph: Gen[Term]): Gen[RowValue] =
    Gen.zip(name, graph).map { case (name, g) =>
      RowValue(RowOp.PrefixDelete, name = name, graph = g)
    }

  /** Rows without content. */
  def bare(ops: Seq[RowOp]): Gen[RowValue] = Gen.oneOf(ops).map(RowValue(_))
}
