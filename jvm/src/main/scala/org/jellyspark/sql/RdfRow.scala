package org.jellyspark.sql

import org.apache.spark.sql.{Encoder, Encoders}

/** One row of RDF data: a statement or a namespace. Terms are strings in N-Triples syntax.
  *
  * It has the columns of `jelly_rdf` with the option `namespaces`. If you need neither namespaces
  * nor ordinals, use [[Statement]].
  *
  * {{{
  * val rows = spark.read.format("jelly_rdf").option("namespaces", true).load("data").as[RdfRow]
  * }}}
  *
  * @param subject
  *   the subject of a statement
  * @param predicate
  *   the predicate of a statement
  * @param object
  *   the object of a statement
  * @param graph
  *   the graph of a statement. `None` is the default graph or, in a stream of triples, no graph.
  * @param name
  *   the prefix of a namespace, without the colon. A row with a name is a namespace.
  * @param value
  *   the IRI of a namespace, as a term `<...>`
  * @param frame
  *   the 0-based ordinal of the frame in its file
  * @param seq
  *   the 0-based ordinal of the row in its file
  */
final case class RdfRow(
    subject: Option[String] = None,
    predicate: Option[String] = None,
    `object`: Option[String] = None,
    graph: Option[String] = None,
    name: Option[String] = None,
    value: Option[String] = None,
    frame: Option[Long] = None,
    seq: Option[Long] = None
)

object RdfRow {
  implicit lazy val encoder: Encoder[RdfRow] = Encoders.product[RdfRow]
}
