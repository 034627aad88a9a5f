package org.jellyspark.jena.codecs

import eu.neverblink.jelly.core.RdfHandler.AnyStatementHandler
import eu.neverblink.jelly.core.proto.v1.{LogicalStreamType, PhysicalStreamType}
import org.apache.jena.graph.{Node, NodeFactory, Triple}
import org.apache.jena.sparql.core.Quad
import org.apache.spark.sql.catalyst.encoders.Codec

import org.jellyspark.JellySparkException

/** Stores a quad as a frame with one statement. Decodes the default graph as
  * `Quad.defaultGraphNodeGenerated`, like Jena's own readers.
  */
private[jena] object QuadCodec extends Codec[Quad, Array[Byte]] {
  override def encode(quad: Quad): Array[Byte] = {
    val graph = if (quad.isDefaultGraph) null else quad.getGraph
    val sizes = new TableSizes
    sizes.add(quad.asTriple, graph)
    Frames.encode(PhysicalStreamType.QUADS, LogicalStreamType.FLAT_QUADS, sizes) {
      _.handleQuad(quad.getSubject, quad.getPredicate, quad.getObject, graph)
    }
  }

  override def decode(bytes: Array[Byte]): Quad = {
    val found = new OneStatement
    Frames.decode(bytes, "a quad", found)
    found.check("a quad", found.graph != null)
    Quad.create(found.graph, found.triple)
  }
}

/** Stores a triple as a frame with one statement. */
private[jena] object TripleCodec extends Codec[Triple, Array[Byte]] {
  override def encode(triple: Triple): Array[Byte] = {
    val sizes = new TableSizes
    sizes.add(triple)
    Frames.encode(PhysicalStreamType.TRIPLES, LogicalStreamType.FLAT_TRIPLES, sizes) {
      _.handleTriple(triple.getSubject, triple.getPredicate, triple.getObject)
    }
  }

  override def decode(bytes: Array[Byte]): Triple = {
    val found = new OneStatement
    Frames.decode(bytes, "a triple", found)
    found.check("a triple", found.triple != null && found.graph == null)
    found.triple
  }
}

/** Stores a node as the object of a triple in its own frame, because Jelly has no row for a single
  * node. The subject and the predicate are blank nodes with empty labels, which take the fewest
  * bytes.
  */
private[jena] object NodeCodec extends Codec[Node, Array[Byte]] {
  private val empty = NodeFactory.createBlankNode("")

  override def encode(node: Node): Array[Byte] =
    TripleCodec.encode(Triple.create(empty, empty, node))

  override def decode(bytes: Array[Byte]): Node = TripleCodec.decode(bytes).getObject
}

/** Receives the only statement of a frame. */
private final class OneStatement extends AnyStatementHandler[Node] {
  private[this] var count = 0
  var triple: Triple = _
  // Null for a triple.
  var graph: Node = _

  override def handleTriple(subject: Node, predicate: Node, obj: Node): Unit = {
    count += 1
    triple = Triple.create(subject, predicate, obj)
  }

  override def handleQuad(subject: Node, predicate: Node, obj: Node, graph: Node): Unit = {
    handleTriple(subject, predicate, obj)
    this.graph = graph
  }

  /** Checks that the frame contained what was expected.
    *
    * @throws org.jellyspark.JellySparkException
    *   if it did not
    */
  def check(what: String, isExpected: Boolean): Unit =
    if (count != 1 || !isExpected) {
      throw new JellySparkException(s"expected a Jelly frame with $what, found another one")
    }
}
