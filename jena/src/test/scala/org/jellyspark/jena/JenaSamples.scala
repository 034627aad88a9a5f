package org.jellyspark.jena

import org.apache.jena.graph.{Graph, Node, NodeFactory, TextDirection, Triple}
import org.apache.jena.sparql.core.{DatasetGraph, DatasetGraphFactory, Quad}
import org.apache.jena.sparql.graph.GraphFactory
import org.apache.jena.vocabulary.XSD

/** Objects of Jena's, of every kind that RDF has. */
object JenaSamples {
  def iri(name: String): Node = NodeFactory.createURI(s"https://example.org/data/$name")

  def typed(lex: String, datatype: String): Node =
    NodeFactory.createLiteralDT(lex, NodeFactory.getType(datatype))

  private val s = iri("s")
  private val p = iri("p")

  /** A triple term in another one, `depth` deep. */
  def nested(depth: Int): Node =
    if (depth == 0) s else NodeFactory.createTripleTerm(Triple.create(s, p, nested(depth - 1)))

  /** A triple term with so many different IRIs and datatypes. */
  def wide(iris: Int): Node = {
    def part(from: Int, to: Int): Node =
      if (to - from == 1) iri(s"wide/$from/x$from")
      else {
        val (a, b) = (from + (to - from) / 3, from + (to - from) * 2 / 3)
        if (a == from) NodeFactory.createTripleTerm(s, p, part(from + 1, to))
        else NodeFactory.createTripleTerm(part(from, a), part(a, b), part(b, to))
      }
    part(0, iris)
  }

  val nodes: Seq[Node] = Seq(
    s,
    NodeFactory.createURI("urn:x"),
    NodeFactory.createURI("relative"),
    NodeFactory.createURI(""),
    NodeFactory.createURI("https://example.org/ünïcode#\uD83D\uDE00"),
    NodeFactory.createBlankNode("b0"),
    NodeFactory.createBlankNode("label with spaces"),
    NodeFactory.createBlankNode(""),
    NodeFactory.createLiteralString(""),
    NodeFactory.createLiteralString("two\nlines \"quoted\" \\ \u0000"),
    NodeFactory.createLiteralLang("hello", "en"),
    NodeFactory.createLiteralLang("colour", "en-GB"),
    NodeFactory.createLiteralDirLang("hello", "en", TextDirection.LTR),
    typed("007", XSD.integer.getURI),
    typed("not a number", XSD.integer.getURI),
    typed("x", "https://example.org/datatype"),
    NodeFactory.createTripleTerm(s, p, NodeFactory.createLiteralString("x")),
    nested(62),
    wide(100)
  )

  val triples: Seq[Triple] = nodes.map(Triple.create(s, p, _)) ++
    nodes.map(node => Triple.create(node, node, node)) // generalized

  private val namedGraphs = nodes.filterNot(_.isTripleTerm)

  val quads: Seq[Quad] =
    for (graph <- namedGraphs :+ Quad.defaultGraphNodeGenerated; triple <- triples.take(3))
      yield Quad.create(graph, triple)

  def graphOf(triples: Seq[Triple], prefixes: (String, String)*): Graph = {
    val graph = GraphFactory.createDefaultGraph()
    triples.foreach(graph.add)
    prefixes.foreach { case (name, iri) => graph.getPrefixMapping.setNsPrefix(name, iri) }
    graph
  }

  def datasetOf(quads: Seq[Quad], prefixes: (String, String)*): DatasetGraph = {
    val dataset = DatasetGraphFactory.create()
    quads.foreach(dataset.add)
    prefixes.foreach { case (name, iri) => dataset.prefixes.add(name, iri) }
    dataset
  }

  /** Triples that share prefixes, names and datatypes, as those of real data. */
  def many(count: Int): Seq[Triple] = Seq.tabulate(count) { i =>
    val node = i % 3 match {
      case 0 => iri(s"thing/${i / 7}")
      case 1 => typed(i.toString, XSD.integer.getURI)
      case _ => NodeFactory.createBlankNode(s"b${i / 5}")
    }
    Triple.create(iri(s"subject/${i / 4}"), iri(s"predicate#${i % 11}"), node)
  }
}
