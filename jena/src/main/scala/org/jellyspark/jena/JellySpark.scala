package org.jellyspark.jena

import org.apache.jena.graph.Triple
import org.apache.jena.sparql.core.Quad
import org.apache.spark.sql.{DataFrame, Dataset, SparkSession}

import org.jellyspark.jena.codecs.CodecEncoder

/** Reads Jelly-RDF as `Dataset`s of Jena's objects.
  *
  * {{{
  * val quads: Dataset[Quad] = JellySpark.quads(spark, "dump.jelly")
  * quads.where("predicate = '<https://schema.org/price>'").filter(_.getObject.isLiteral)
  * quads.write.format("jelly_rdf").save("copy")
  * }}}
  *
  * The `Dataset` has the columns of the rows, with terms as strings in N-Triples syntax. A `where`
  * with SQL uses the columns, as in any DataFrame; functions in Scala or Java receive the objects.
  * Each object is created from its columns. Terms that repeat are converted only once.
  */
object JellySpark {

  /** Reads the quads of files. Quads of the default graph have `Quad.defaultGraphNodeGenerated` as
    * their graph.
    *
    * @param path
    *   a file, a directory or a glob pattern, in the format `jelly_rdf`
    */
  def quads(spark: SparkSession, path: String): Dataset[Quad] = quads(read(spark, path))

  /** Converts rows with the columns `subject`, `predicate`, `object` and `graph` to quads. The
    * graph may be null for the default graph.
    */
  def quads(rows: DataFrame): Dataset[Quad] =
    rows.select("subject", "predicate", "object", "graph").as(CodecEncoder.quads)

  /** Reads the triples of files, from all graphs.
    *
    * @param path
    *   a file, a directory or a glob pattern, in the format `jelly_rdf`
    */
  def triples(spark: SparkSession, path: String): Dataset[Triple] = triples(read(spark, path))

  /** Converts rows with the columns `subject`, `predicate` and `object` to triples. */
  def triples(rows: DataFrame): Dataset[Triple] =
    rows.select("subject", "predicate", "object").as(CodecEncoder.triples)

  private def read(spark: SparkSession, path: String): DataFrame =
    spark.read.format("jelly_rdf").load(path)
}
