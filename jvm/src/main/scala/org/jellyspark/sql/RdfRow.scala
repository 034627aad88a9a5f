package org.jellyspark.sql

import org.apache.spark.sql.{Encoder, Encoders}

/** One row of RDF data: a statement, or a namespace. Terms are strings in N-Triples syntax.
  *
  * It has the columns of `jelly_rdf` with the option `namespaces`. Without namespaces, and without
  * ordinals, [[Statement]] is enough.
  *
  * {{{
  * val rows = spark.read.format("jelly_rdf").option("namespaces", true).load("data").as[RdfRow]
  * }}}
  *
  * @param subject
  *   of a statement
  * @param predicate
  *   of a statement
  * @param object
  *   of a statement
  * @param graph
  *   of a statement. `None` is the default graph, and in a stream of triples no graph.
  * @param name
  *   of a namespace: its prefix without colon. A row that has a name is a namespace.
  * @param value
  *   of a namespace: its IRI, as a term `<...>`
  * @param frame
  *   0-based ordinal of the frame in its file
  * @param seq
  *   0-based ordinal of the row in its file
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
