package org.jellyspark.formats.rdfpatch

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.rows.{Row, RowOp, RowRules}
import org.jellyspark.core.terms.{DefaultGraph, JenaDefaultGraph, Term}
import org.jellyspark.text.{Escapes, TextOutput, TurtleNames}

/** Writes rows in the syntax of RDF Patch's first version. `R` repeats the term in the same
  * position of the previous row. IRIs become prefixed names after a `PA` row has declared a prefix
  * for them.
  */
private[rdfpatch] final class V1Encoder(out: TextOutput)
    extends TextEncoder(out, Escapes.Iris, Escapes.Iris) {
  private[this] var prefixes = new Prefixes
  private[this] var lastSubject: Term = _
  private[this] var lastPredicate: Term = _
  private[this] var lastObject: Term = _
  private[this] var lastGraph: Term = _

  override def restart(): Unit = {
    prefixes = new Prefixes
    lastSubject = null
    lastPredicate = null
    lastObject = null
    lastGraph = null
  }

  override protected def putRow(row: Row): Unit = row.op match {
    case RowOp.Add | RowOp.Delete => putStatement(row)
    case RowOp.PrefixAdd          => putPrefix(row)
    case op                       => refuse(s"style v1 cannot write ${op.code}")
  }

  private def putStatement(row: Row): Unit = {
    RowRules.checkStatement(row)
    RowRules.checkGraph(row.graph)
    JenaDefaultGraph.check(row.graph)
    out.put(row.op.code)
    out.put(' ')
    putItem(row.subject, lastSubject)
    putItem(row.predicate, lastPredicate)
    putItem(row.obj, lastObject)
    if (row.graph ne DefaultGraph) putItem(row.graph, lastGraph)
    lastSubject = row.subject
    lastPredicate = row.predicate
    lastObject = row.obj
    lastGraph = row.graph
  }

  private def putItem(term: Term, last: Term): Unit =
    if (term == last) out.put("R ") else putTerm(term)

  private def putPrefix(row: Row): Unit = {
    val iri = RowRules.namespace(row).value
    if (row.graph ne DefaultGraph) refuse("style v1 cannot write a PA with a graph")
    if (row.name.nonEmpty && !TurtleNames.isWord(row.name)) {
      refuse(
        "style v1 can only write a prefix name that begins with a letter and has letters, " +
          "digits, '_' and '-'"
      )
    }
    checkAbsolute(iri)
    out.put("@prefix ")
    out.put(row.name, Escapes.NoEscapes, "a name")
    out.put(": ")
    putBracketed(iri)
    out.put(' ')
    prefixes.declare(row.name, iri)
  }

  override protected def putIri(iri: String): Unit = {
    checkAbsolute(iri)
    val prefix = prefixes.of(iri)
    if (prefix == null) putBracketed(iri)
    else {
      out.put(prefix.name, Escapes.NoEscapes, "a name")
      out.put(':')
      out.put(iri.substring(prefix.namespace.length), Escapes.NoEscapes, "a term")
    }
  }

  private def checkAbsolute(iri: String): Unit =
    if (!TurtleNames.isAbsolute(iri)) refuse("style v1 cannot write a relative IRI")

  override protected def checkTriple(): Unit = refuse("style v1 cannot write a triple term")
}

/** A prefix name and its namespace IRI. */
private final case class Prefix(name: String, namespace: String)

/** The prefixes that a writer has declared. */
private final class Prefixes {
  // The longest namespace first. Among namespaces of equal length, the last one declared first.
  private[this] var declared = List.empty[Prefix]

  /** Declares a prefix, replacing any with the same name. */
  def declare(name: String, namespace: String): Unit = {
    val (longer, others) =
      declared.filter(_.name != name).span(_.namespace.length > namespace.length)
    declared = longer ++ (Prefix(name, namespace) :: others)
  }

  /** Returns the prefix with the longest namespace that can abbreviate an IRI; null if there is
    * none.
    */
  def of(iri: String): Prefix = {
    var rest = declared
    while (rest.nonEmpty && !fits(rest.head, iri)) rest = rest.tail
    if (rest.isEmpty) null else rest.head
  }

  private def fits(prefix: Prefix, iri: String): Boolean =
    iri.startsWith(prefix.namespace) && TurtleNames.isLocal(iri.substring(prefix.namespace.length))
}
