package org.jellyspark.formats.jellypatch

import org.scalacheck.Gen

import org.jellyspark.core.{PatchRowGenerators, RowValue}
import org.jellyspark.core.TermGenerators._
import org.jellyspark.core.rows.RowOp
import org.jellyspark.jelly.TermOptions

/** Random options and rows of patches. */
object PatchGenerators {

  val options: Gen[JellyPatchOptions] = for {
    stream <- Gen.oneOf(StreamType.values)
    names <- Gen.oneOf(8, 100, 4000)
    prefixes <- Gen.oneOf(0, 5, 100)
    datatypes <- Gen.oneOf(5, 100)
    frameSize <- Gen.oneOf(1, 3, 512)
    delimited <- Gen.oneOf(true, false)
  } yield JellyPatchOptions(
    streamType = stream,
    terms = TermOptions(names, prefixes, datatypes),
    frameSize = frameSize,
    delimited = delimited
  )

  private val row: Gen[RowValue] = Gen.frequency(
    6 -> PatchRowGenerators.statement(term, graph),
    1 -> PatchRowGenerators.header(text, term),
    1 -> Gen.zip(Gen.oneOf(RowOp.PrefixAdd, RowOp.PrefixDelete), text, iri, graph).map {
      case (op, name, value, g) => RowValue(op, name = name, value = value, graph = g)
    },
    1 -> PatchRowGenerators.bare(Seq(RowOp.TransactionCommit, RowOp.TransactionAbort))
  )

  val rows: Gen[List[RowValue]] =
    Gen.choose(1, 20).flatMap(Gen.listOfN(_, row))
}
