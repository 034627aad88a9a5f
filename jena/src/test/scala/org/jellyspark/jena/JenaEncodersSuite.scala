package org.jellyspark.jena

import java.io.ByteArrayInputStream

import eu.neverblink.jelly.convert.jena.riot.JellyLanguage
import org.apache.jena.graph.{Graph, Node, NodeFactory, Triple}
import org.apache.jena.riot.RDFParser
import org.apache.jena.sparql.core.{DatasetGraph, Quad}
import org.apache.jena.sparql.util.IsoMatcher
import org.apache.spark.sql.{Encoder, Encoders}
import org.scalatest.Assertion

import org.jellyspark.JellySparkException
import org.jellyspark.jena.JenaEncoders._
import org.jellyspark.jena.JenaSamples._

class JenaEncodersSuite extends SparkSuite {

  /** Shuffles objects, caches them, and writes and reads them. */
  private def roundTrips[A: Encoder](objects: Seq[A]): Seq[Seq[A]] = {
    val dataset = spark.createDataset(objects.zipWithIndex)(
      Encoders.tuple(implicitly[Encoder[A]], Encoders.scalaInt)
    )
    val shuffled = dataset.repartition(3).cache()
    val path = folder.resolve(s"objects-${objects.hashCode}").toString
    shuffled.write.parquet(path)
    val read = spark.read.parquet(path).as(shuffled.encoder)
    Seq(shuffled, read).map(_.collect().toSeq.sortBy(_._2).map(_._1))
  }

  private def equalAgain[A: Encoder](objects: Seq[A]): Assertion = {
    val changed = roundTrips(objects).flatMap(_.zip(objects)).filter { case (a, b) => a != b }
    assert(changed.isEmpty)
  }

  test("nodes come back equal")(equalAgain(nodes))

  test("triples come back equal")(equalAgain(triples))

  test("quads come back equal")(equalAgain(quads))

  test("all nodes of the default graph come back as the one that Jena's readers make") {
    val defaults = Seq(Quad.defaultGraphIRI, Quad.defaultGraphNodeGenerated, Quad.tripleInQuad)
    val found = roundTrips(defaults.map(Quad.create(_, triples.head))).flatten
    assert(found.forall(_ == Quad.create(Quad.defaultGraphNodeGenerated, triples.head)))
  }

  private val graphs = Seq(
    graphOf(Nil),
    graphOf(triples.take(1)),
    graphOf(triples, "ex" -> "https://example.org/", "" -> "urn:"),
    graphOf(Nil, "ex" -> "https://example.org/"),
    graphOf(many(20000))
  )

  test("graphs come back with the same triples, labels and prefixes") {
    roundTrips(graphs).foreach { found =>
      found.zip(graphs).foreach { case (back, given) =>
        assert(back.find().toSet == given.find().toSet)
        assert(back.getPrefixMapping.getNsPrefixMap == given.getPrefixMapping.getNsPrefixMap)
      }
    }
  }

  private val datasets = Seq(
    datasetOf(Nil),
    datasetOf(quads, "ex" -> "https://example.org/"),
    datasetOf(many(1000).zipWithIndex.map { case (t, i) => Quad.create(iri(s"graph/${i % 9}"), t) })
  )

  test("datasets come back with the same quads, labels and prefixes") {
    roundTrips(datasets).foreach { found =>
      found.zip(datasets).foreach { case (back, given) =>
        assert(IsoMatcher.isomorphic(given, back))
        assert(quadsOf(back) == quadsOf(given))
        assert(back.prefixes.getMapping == given.prefixes.getMapping)
      }
    }
  }

  private def quadsOf(dataset: DatasetGraph): Set[Quad] = {
    import scala.jdk.CollectionConverters._
    dataset.find().asScala.toSet
  }

  test("functions on Datasets take and return Jena's objects") {
    val found = spark
      .createDataset(graphs)
      .flatMap((graph: Graph) => graph.find().toList.toArray(Array.empty[Triple]).toSeq)
      .map((triple: Triple) => triple.getPredicate)
      .distinct()
      .collect()
      .toSet
    assert(
      found == graphs
        .flatMap(_.find().toList.toArray(Array.empty[Triple]).map(_.getPredicate))
        .toSet
    )
  }

  test("nulls in a column stay nulls") {
    val encoder = Encoders.tuple(Encoders.STRING, implicitly[Encoder[Graph]])
    val found = spark.createDataset(Seq(("a", null: Graph)))(encoder).repartition(2).collect()
    assert(found.toSeq == Seq(("a", null)))
  }

  test("an object is a file that Jelly-JVM reads") {
    val bytes = spark.createDataset(graphs.slice(2, 3)).toDF().head().getAs[Array[Byte]](0)
    val read = graphOf(Nil)
    RDFParser.source(new ByteArrayInputStream(bytes)).lang(JellyLanguage.JELLY).parse(read)
    assert(read.find().toSet == graphs(2).find().toSet)
  }

  private def refused[A: Encoder](value: A): String = {
    val error = intercept[Exception](spark.createDataset(Seq(value)).repartition(2).collect())
    Iterator
      .iterate(error: Throwable)(_.getCause)
      .takeWhile(_ != null)
      .collectFirst { case e: JellySparkException => e.getMessage }
      .getOrElse(fail(error))
  }

  test("what is not an RDF term is an error") {
    assert(refused(NodeFactory.createVariable("x")).contains("?x"))
    assert(refused(Triple.create(Node.ANY, Node.ANY, Node.ANY)).contains("expected an RDF term"))
    assert(refused(nested(63)).contains("62 deep"))
    assert(refused(wide(5000)).contains("at most 4096 IRIs"))
  }

  test("bytes that are not the object's are an error") {
    import spark.implicits._
    def read[A: Encoder](bytes: Array[Byte]): String = {
      val error = intercept[Exception](Seq(bytes).toDS().as[A].collect())
      Iterator.iterate(error: Throwable)(_.getCause).takeWhile(_ != null).map(_.toString).mkString
    }
    val quad = spark.createDataset(quads.take(1)).toDF().as[Array[Byte]].head()
    assert(read[Triple](quad).contains("expected a Jelly frame with a triple"))
    assert(read[Graph](quad).contains("found a quad"))
    assert(read[Quad](Array[Byte](1, 2, 3)).contains("a quad: "))
    assert(read[Quad](Array.empty).contains("expected a Jelly frame with a quad"))
    assert(read[Quad](quad.dropRight(1)).contains("a quad: "))
  }
}
