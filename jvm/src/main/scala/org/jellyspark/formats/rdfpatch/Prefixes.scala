package org.jellyspark.formats.rdfpatch

import org.jellyspark.text.TurtleNames

/** A prefix name and its namespace IRI. */
private[rdfpatch] final case class Prefix(name: String, namespace: String)

/** The prefixes that a writer has declared. */
private[rdfpatch] final class Prefixes {
  // The longest namespace first; among those of equal length, the one declared last.
  private[this] var declared = List.empty[Prefix]

  /** Declares a prefix. It replaces one with the same name. */
  def declare(name: String, namespace: String): Unit = {
    val (longer, others) =
      declared.filter(_.name != name).span(_.namespace.length > namespace.length)
    declared = longer ++ (Prefix(name, namespace) :: others)
  }

  /** The prefix with the longest namespace that leaves a local name of an IRI; null if none does.
    */
  def of(iri: String): Prefix = {
    var rest = declared
    while (rest.nonEmpty && !fits(rest.head, iri)) rest = rest.tail
    if (rest.isEmpty) null else rest.head
  }

  private def fits(prefix: Prefix, iri: String): Boolean =
    iri.startsWith(prefix.namespace) && TurtleNames.isLocal(iri.substring(prefix.namespace.length))
}
