package org.jellyspark.jena

import org.apache.jena.graph.Triple
import org.apache.jena.sparql.core.Quad

import org.jellyspark.jena.JenaEncoders._
import org.jellyspark.jena.JenaSamples._

class JellySparkSuite extends SparkSuite {
  import spark.implicits._

  private lazy val path: String = {
    val target = folder.resolve("quads").toString
    val rows = quads.map { quad =>
      val text = NodeText(quad.getSubject, quad.getPredicate, quad.getObject)
      val graph = if (quad.isDefaultGraph) null else NodeText(quad.getGraph).head
      (text(0), text(1), text(2), graph)
    }
    rows
      .toDF("subject", "predicate", "object", "graph")
      .coalesce(1)
      .write
      .format("jelly_rdf")
      .save(target)
    target
  }

  test("quads and triples are those of the file") {
    assert(JellySpark.quads(spark, path).collect().toSeq == quads)
    assert(JellySpark.triples(spark, path).collect().toSeq == quads.map(_.asTriple))
  }

  test("quads are written as they were read") {
    val copy = folder.resolve("copy").toString
    JellySpark.quads(spark, path).filter((_: Quad) => true).write.format("jelly_rdf").save(copy)
    assert(JellySpark.quads(spark, copy).collect().toSet == quads.toSet)
  }

  test("filters on columns reach the files, and functions get the objects") {
    val chosen = JellySpark
      .quads(spark, path)
      .where("graph IS NULL")
      .filter((quad: Quad) => quad.getObject.isURI)
    assert(chosen.queryExecution.executedPlan.toString.contains("PushedFilters: [IsNull(graph)]"))
    assert(
      chosen.map((quad: Quad) => quad.asTriple).collect().toSeq ==
        quads.filter(quad => quad.isDefaultGraph && quad.getObject.isURI).map(_.asTriple)
    )
  }

  test("a column that is not a term is an error that names it") {
    val rows = Seq(("<urn:s>", "oops", "<urn:o>")).toDF("subject", "predicate", "object")
    val error = intercept[Exception](JellySpark.triples(rows).map((t: Triple) => t).collect())
    val messages =
      Iterator.iterate(error: Throwable)(_.getCause).takeWhile(_ != null).map(_.toString)
    assert(messages.exists(_.contains("predicate: expected an RDF term")))
  }
}
