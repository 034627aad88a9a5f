package org.jellyspark.jena

import org.apache.jena.graph.Triple
import org.apache.jena.sparql.core.Quad
import org.apache.spark.sql.{DataFrame, Dataset, SparkSession}

import org.jellyspark.jena.codecs.CodecEncoder

/** Jelly-RDF as `Dataset`s of Jena's objects.
  *
  * {{{
  * val quads: Dataset[Quad] = JellySpark.quads(spark, "dump.jelly")
  * quads.where("predicate = '<https://schema.org/price>'").filter(_.getObject.isLiteral)
  * quads.write.format("jelly_rdf").save("copy")
  * }}}
  *
  * The `Dataset` has the columns of the rows, with terms as strings in N-Triples syntax: `where`
  * with SQL reads the columns, as of any DataFrame, and functions of Scala or Java get the objects.
  * Each is made from its columns, and terms that repeat are made once.
  */
object JellySpark {

  /** The quads of files. Those of the default graph have `Quad.defaultGraphNodeGenerated`.
    *
    * @param path
    *   a file, a folder or a pattern, in format `jelly_rdf`
    */
  def quads(spark: SparkSession, path: String): Dataset[Quad] = quads(read(spark, path))

  /** The quads of rows with the columns `subject`, `predicate`, `object` and `graph`, which may be
    * null for the default graph.
    */
  def quads(rows: DataFrame): Dataset[Quad] =
    rows.select("subject", "predicate", "object", "graph").as(CodecEncoder.quads)

  /** The triples of files, of all graphs.
    *
    * @param path
    *   a file, a folder or a pattern, in format `jelly_rdf`
    */
  def triples(spark: SparkSession, path: String): Dataset[Triple] = triples(read(spark, path))

  /** The triples of rows with the columns `subject`, `predicate` and `object`. */
  def triples(rows: DataFrame): Dataset[Triple] =
    rows.select("subject", "predicate", "object").as(CodecEncoder.triples)

  private def read(spark: SparkSession, path: String): DataFrame =
    spark.read.format("jelly_rdf").load(path)
}
