package org.jellyspark.jena.codecs

import org.apache.jena.datatypes.xsd.XSDDatatype
import org.apache.jena.graph.{Node, Triple}

import org.jellyspark.JellySparkException

/** The sizes of the lookup tables that the frame of an object needs. Jelly-JVM allocates the tables
  * with the sizes in the stream options, which would take most of the time for a single statement.
  *
  * If a statement needs more entries than a table has, Jelly-JVM writes wrong data without an
  * error. So each table is at least as large as the statement that needs the most entries.
  */
private[codecs] final class TableSizes {
  import TableSizes._

  private[this] var iris = 0L
  private[this] var datatypes = 0L
  private[this] var statements = 0L
  // The most that any single statement has.
  private[this] var mostIris = 0L
  private[this] var mostDatatypes = 0L

  /** Counts the terms of a statement.
    *
    * @param graph
    *   the graph; null for the default graph
    * @throws org.jellyspark.JellySparkException
    *   if no Jelly frame can represent the statement
    */
  def add(triple: Triple, graph: Node = null): Unit = statement {
    countTriple(triple, 0)
    if (graph != null) count(graph, 0)
  }

  /** Counts a single node, such as the value of a header. */
  def add(node: Node): Unit = statement(count(node, 0))

  /** The size of the name table, in entries. */
  def names: Int = math.max(MinNames, math.max(math.min(iris, UsualNames), mostIris)).toInt

  /** The size of the prefix table, in entries. It is 0, so that IRIs are written without prefixes,
    * for a single statement, whose IRIs share few prefixes, and if a statement has more IRIs than a
    * table of the usual size has entries.
    */
  def prefixes: Int =
    if (statements < 2 || mostIris > UsualPrefixes) 0 else math.min(iris, UsualPrefixes).toInt

  /** The size of the datatype table, in entries. */
  def datatypeTable: Int = math.max(math.min(datatypes, UsualDatatypes), mostDatatypes).toInt

  private def statement(countTerms: => Unit): Unit = {
    val irisBefore = iris
    val datatypesBefore = datatypes
    countTerms
    statements += 1
    mostIris = math.max(mostIris, iris - irisBefore)
    mostDatatypes = math.max(mostDatatypes, datatypes - datatypesBefore)
    if (mostIris > MaxNames || mostDatatypes > MaxDatatypes) {
      throw new JellySparkException(
        s"a statement may have at most $MaxNames IRIs and $MaxDatatypes literals with a datatype, " +
          "those of its triple terms included"
      )
    }
  }

  private def count(node: Node, depth: Int): Unit =
    if (node.isURI) iris += 1
    else if (node.isLiteral) {
      if (node.getLiteralLanguage.isEmpty && (node.getLiteralDatatype ne XSDDatatype.XSDstring))
        datatypes += 1
    } else if (node.isTripleTerm) {
      if (depth == MaxDepth)
        throw new JellySparkException(s"triple terms may be nested at most $MaxDepth deep")
      countTriple(node.getTriple, depth + 1)
    } else if (!node.isBlank) {
      throw new JellySparkException(s"expected an RDF term, found the node $node")
    }

  private def countTriple(triple: Triple, depth: Int): Unit = {
    count(triple.getSubject, depth)
    count(triple.getPredicate, depth)
    count(triple.getObject, depth)
  }
}

private object TableSizes {
  // The smallest size that the specification allows.
  private final val MinNames = 8L
  // The sizes that Jelly-JVM's writers use.
  private final val UsualNames = 4000L
  private final val UsualPrefixes = 150L
  private final val UsualDatatypes = 32L
  // The largest sizes that Jelly-JVM's readers accept.
  private final val MaxNames = 4096L
  private final val MaxDatatypes = 256L
  // The deepest nesting of triple terms that Jelly-JVM reads in an undelimited frame.
  private final val MaxDepth = 62
}
