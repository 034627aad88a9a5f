package org.jellyspark.jena.codecs

import org.apache.jena.graph.{Node, Triple}
import org.apache.jena.sparql.core.Quad
import org.apache.spark.sql.catalyst.encoders.Codec

import org.jellyspark.JellySparkException
import org.jellyspark.core.terms.NTriples
import org.jellyspark.jena.codecs.JenaTerms.{toNode, toTerm}

/** The columns of a quad, with terms in N-Triples syntax. */
private[jena] final case class QuadColumns(
    subject: String,
    predicate: String,
    `object`: String,
    graph: String
)

/** The columns of a triple, with terms in N-Triples syntax. */
private[jena] final case class TripleColumns(subject: String, predicate: String, `object`: String)

/** Converts quads to and from the columns of `jelly_rdf`. The graph is null for the default graph.
  */
private[jena] final class QuadColumnsCodec extends Codec[Quad, QuadColumns] {
  @transient private[this] lazy val nodes = new NodeCache

  override def encode(quad: Quad): QuadColumns = QuadColumns(
    NTriples.format(toTerm(quad.getSubject)),
    NTriples.format(toTerm(quad.getPredicate)),
    NTriples.format(toTerm(quad.getObject)),
    if (quad.isDefaultGraph) null else NTriples.format(toTerm(quad.getGraph))
  )

  override def decode(columns: QuadColumns): Quad = Quad.create(
    if (columns.graph == null) Quad.defaultGraphNodeGenerated
    else nodes.get("graph", columns.graph),
    nodes.get("subject", columns.subject),
    nodes.get("predicate", columns.predicate),
    nodes.get("object", columns.`object`)
  )
}

/** Converts triples to and from the columns of `jelly_rdf`. */
private[jena] final class TripleColumnsCodec extends Codec[Triple, TripleColumns] {
  @transient private[this] lazy val nodes = new NodeCache

  override def encode(triple: Triple): TripleColumns = TripleColumns(
    NTriples.format(toTerm(triple.getSubject)),
    NTriples.format(toTerm(triple.getPredicate)),
    NTriples.format(toTerm(triple.getObject))
  )

  override def decode(columns: TripleColumns): Triple = Triple.create(
    nodes.get("subject", columns.subject),
    nodes.get("predicate", columns.predicate),
    nodes.get("object", columns.`object`)
  )
}

/** A direct-mapped cache from the text of terms to their nodes. Threads may share it: entries are
  * immutable, and a lost entry is created again.
  */
private final class NodeCache {
  import NodeCache._

  private[this] val entries = new Array[Entry](Size)

  /** Returns the node of a term in N-Triples syntax.
    *
    * @param column
    *   the name of the term's column, for error messages
    * @throws org.jellyspark.JellySparkException
    *   if the text is not a term
    */
  def get(column: String, text: String): Node = {
    if (text == null) fail(column, "expected an RDF term, found null")
    val hash = text.hashCode
    val place = (hash ^ (hash >>> 16)) & (Size - 1)
    val entry = entries(place)
    if (entry != null && entry.text == text) entry.node
    else {
      val made = new Entry(text, parse(column, text))
      entries(place) = made
      made.node
    }
  }

  private def parse(column: String, text: String): Node =
    try toNode(NTriples.parse(text))
    catch { case e: NTriples.SyntaxException => fail(column, e.getMessage) }

  private def fail(column: String, problem: String): Nothing =
    throw new JellySparkException(s"$column: $problem")
}

private object NodeCache {
  // A power of two.
  private final val Size = 1 << 12

  private final class Entry(val text: String, val node: Node)
}
