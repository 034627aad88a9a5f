package org.jellyspark.formats.rdfpatch

import org.jellyspark.text.TurtleNames

/** A prefix name and its namespace IRI. */
private[rdfpatch] final case class Prefix(name: String, namespace: String)

/** The prefixes that a writer has declared. */
private[rdfpatch] final class Prefixes {
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
