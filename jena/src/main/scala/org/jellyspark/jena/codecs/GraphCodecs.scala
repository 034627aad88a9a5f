package org.jellyspark.jena.codecs

import scala.jdk.CollectionConverters._

import eu.neverblink.jelly.core.RdfHandler.AnyStatementHandler
import eu.neverblink.jelly.core.proto.v1.{LogicalStreamType, PhysicalStreamType}
import org.apache.jena.graph.{Graph, Node, Triple}
import org.apache.jena.sparql.core.{DatasetGraph, DatasetGraphFactory, Quad}
import org.apache.jena.sparql.graph.GraphFactory
import org.apache.spark.sql.catalyst.encoders.Codec

import org.jellyspark.JellySparkException

/** Stores a graph and its prefixes as one frame. Decodes it as an in-memory graph. */
private[jena] object GraphCodec extends Codec[Graph, Array[Byte]] {
  override def encode(graph: Graph): Array[Byte] = {
    val triples = graph.find().toList
    val sizes = new TableSizes
    triples.forEach(sizes.add(_))
    Frames.encode(
      PhysicalStreamType.TRIPLES,
      LogicalStreamType.GRAPHS,
      sizes,
      graph.getPrefixMapping.getNsPrefixMap
    ) { encoder =>
      triples.forEach(t => encoder.handleTriple(t.getSubject, t.getPredicate, t.getObject))
    }
  }

  override def decode(bytes: Array[Byte]): Graph = {
    val graph = GraphFactory.createDefaultGraph()
    Frames.decode(
      bytes,
      "a graph",
      new AnyStatementHandler[Node] {
        override def handleTriple(subject: Node, predicate: Node, obj: Node): Unit =
          graph.add(Triple.create(subject, predicate, obj))

        override def handleQuad(subject: Node, predicate: Node, obj: Node, name: Node): Unit =
          throw new JellySparkException("expected a Jelly frame of triples, found a quad")

        override def handleNamespace(prefix: String, iri: Node): Unit = {
          graph.getPrefixMapping.setNsPrefix(prefix, iri.getURI)
          ()
        }
      }
    )
    graph
  }
}

/** Stores a dataset and its prefixes as one frame. Decodes it as an in-memory dataset. Named graphs
  * without triples are lost, as elsewhere in Jena.
  */
private[jena] object DatasetGraphCodec extends Codec[DatasetGraph, Array[Byte]] {
  override def encode(dataset: DatasetGraph): Array[Byte] = {
    val quads = dataset.find().asScala.toArray
    val sizes = new TableSizes
    quads.foreach(quad => sizes.add(quad.asTriple, graphOf(quad)))
    Frames.encode(
      PhysicalStreamType.QUADS,
      LogicalStreamType.DATASETS,
      sizes,
      dataset.prefixes.getMapping
    ) { encoder =>
      quads.foreach { q =>
        encoder.handleQuad(q.getSubject, q.getPredicate, q.getObject, graphOf(q))
      }
    }
  }

  private def graphOf(quad: Quad): Node = if (quad.isDefaultGraph) null else quad.getGraph

  override def decode(bytes: Array[Byte]): DatasetGraph = {
    val dataset = DatasetGraphFactory.create()
    Frames.decode(
      bytes,
      "a dataset",
      new AnyStatementHandler[Node] {
        override def handleTriple(subject: Node, predicate: Node, obj: Node): Unit =
          throw new JellySparkException("expected a Jelly frame of quads, found a triple")

        override def handleQuad(subject: Node, predicate: Node, obj: Node, graph: Node): Unit =
          dataset.add(graph, subject, predicate, obj)

        override def handleNamespace(prefix: String, iri: Node): Unit =
          dataset.prefixes.add(prefix, iri.getURI)
      }
    )
    dataset
  }
}
