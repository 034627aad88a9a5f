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
  * [[PatchOperation]] has the same rows as classes, one for each operation.
  *
  * @param op
  *   the code of the row: `H` is a header, `TX`, `TC` and `TA` begin, commit and abort a
  *   transaction, `PA` and `PD` add and delete a prefix, `A` and `D` a statement, `END` ends a
  *   patch
  * @param subject
  *   of `A` and `D`
  * @param predicate
  *   of `A` and `D`
  * @param object
  *   of `A` and `D`
  * @param graph
  *   of `A`, `D`, `PA` and `PD`. `None` is the default graph, and in a stream of triples no graph.
  * @param name
  *   the key of `H`; the prefix of `PA` and `PD`, without its colon
  * @param value
  *   the term of `H`; the IRI of `PA`, and of `PD` if it has one, as a term `<...>`
  * @param patch
  *   0-based ordinal of the patch in its file
  * @param tx
  *   0-based ordinal of the transaction in its file; `None` outside a transaction
  * @param seq
  *   0-based ordinal of the row in its file
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
