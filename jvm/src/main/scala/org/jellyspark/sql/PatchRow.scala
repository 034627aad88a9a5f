package org.jellyspark.sql

import org.apache.spark.sql.{Encoder, Encoders}

/** One row of a patch, with the columns of the patch formats. Terms are strings in N-Triples
  * syntax.
  *
  * {{{
  * val log: Dataset[PatchRow] = spark.read.format("jelly_patch").load("log").as[PatchRow]
  * log.filter(_.op == "A").write.format("jelly_patch").save("additions")
  * }}}
  *
  * [[PatchOperation]] represents the same rows with one class for each operation.
  *
  * @param op
  *   the code of the row: `H` is a header; `TX`, `TC` and `TA` begin, commit and abort a
  *   transaction; `PA` and `PD` add and delete a prefix; `A` and `D` add and delete a statement;
  *   `END` ends a patch
  * @param subject
  *   the subject in `A` and `D`
  * @param predicate
  *   the predicate in `A` and `D`
  * @param object
  *   the object in `A` and `D`
  * @param graph
  *   the graph in `A`, `D`, `PA` and `PD`. `None` is the default graph or, in a stream of triples,
  *   no graph.
  * @param name
  *   the key of `H`; the prefix name of `PA` and `PD`, without the colon
  * @param value
  *   the term of `H`; the IRI of `PA`, and of `PD` if it has one, as a term `<...>`
  * @param patch
  *   the 0-based ordinal of the patch in its file
  * @param tx
  *   the 0-based ordinal of the transaction in its file; `None` outside a transaction
  * @param seq
  *   the 0-based ordinal of the row in its file
  */
final case class PatchRow(
    op: String,
    subject: Option[String] = None,
    predicate: Option[String] = None,
    `object`: Option[String] = None,
    graph: Option[String] = None,
    name: Option[String] = None,
    value: Option[String] = None,
    patch: Option[Long] = None,
    tx: Option[Long] = None,
    seq: Option[Long] = None
)

object PatchRow {
  implicit lazy val encoder: Encoder[PatchRow] = Encoders.product[PatchRow]
}
