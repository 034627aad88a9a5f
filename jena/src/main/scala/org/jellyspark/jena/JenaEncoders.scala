package org.jellyspark.jena

import org.apache.jena.graph.{Graph, Node, Triple}
import org.apache.jena.sparql.core.{DatasetGraph, Quad}
import org.apache.spark.sql.Encoder

import org.jellyspark.jena.codecs._

/** Encoders with which Spark stores Jena's objects as Jelly: in `Dataset`s, in shuffles and caches,
  * and in files.
  *
  * {{{
  * import org.jellyspark.jena.JenaEncoders._
  *
  * val graphs: Dataset[Graph] = spark.createDataset(Seq(graph1, graph2))
  * graphs.repartition(8).map(graph => graph.size)(Encoders.scalaInt)
  * graphs.write.parquet("graphs")
  * spark.read.parquet("graphs").as[Graph]
  * }}}
  *
  * In Java: `spark.createDataset(graphs, JenaEncoders.graphEncoder())`.
  *
  * An object is stored as one binary value: an undelimited Jelly frame, written by Jelly-JVM, that
  * any Jelly reader can read. Decoding returns the same terms, including blank node labels. To use
  * the encoders in a case class or a tuple, combine them with `Encoders.tuple`.
  *
  * Encoding throws an `org.jellyspark.JellySparkException` for nodes that are not RDF terms, such
  * as variables, for triple terms nested more than 62 levels deep, and for statements with more
  * than 4096 IRIs or 256 literals with a datatype, including those in triple terms.
  */
object JenaEncoders {

  /** The encoder of nodes: IRIs, blank nodes, literals and triple terms. */
  implicit val nodeEncoder: Encoder[Node] = CodecEncoder.binary(NodeCodec)

  /** The encoder of triples. */
  implicit val tripleEncoder: Encoder[Triple] = CodecEncoder.binary(TripleCodec)

  /** The encoder of quads. A quad of the default graph is decoded with
    * `Quad.defaultGraphNodeGenerated` as its graph, as by Jena's own readers.
    */
  implicit val quadEncoder: Encoder[Quad] = CodecEncoder.binary(QuadCodec)

  /** The encoder of graphs and their prefixes. They are decoded as in-memory graphs. */
  implicit val graphEncoder: Encoder[Graph] = CodecEncoder.binary(GraphCodec)

  /** The encoder of datasets and their prefixes. They are decoded as in-memory datasets, without
    * the names of graphs that have no triples.
    */
  implicit val datasetGraphEncoder: Encoder[DatasetGraph] = CodecEncoder.binary(DatasetGraphCodec)
}
