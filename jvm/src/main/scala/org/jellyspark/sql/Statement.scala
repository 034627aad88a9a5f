package org.jellyspark.sql

import org.apache.spark.sql.{Encoder, Encoders}

/** A statement: a triple or a quad. Terms are strings in N-Triples syntax, as in the columns of a
  * DataFrame. [[Term.parse]] parses them.
  *
  * It has the columns that RDF data and the `A` and `D` rows of patches have in common:
  *
  * {{{
  * val data = spark.read.format("jelly_rdf").load("data").as[Statement]
  * val added = spark.read.format("jelly_patch").load("log").where("op = 'A'").as[Statement]
  * }}}
  *
  * As with any class, `as` does not drop other columns, such as `seq`, until a typed operation such
  * as `map` runs. In rows of other operations and of namespaces, the terms are null. Filter these
  * rows out first.
  *
  * @param graph
  *   the graph. `None` is the default graph or, in a stream of triples, no graph.
  */
final case class Statement(
    subject: String,
    predicate: String,
    `object`: String,
    graph: Option[String] = None
)

object Statement {
  implicit lazy val encoder: Encoder[Statement] = Encoders.product[Statement]
}
