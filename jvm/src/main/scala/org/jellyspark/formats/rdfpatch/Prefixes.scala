package org.jellyspark.formats.rdfpatch

/** A prefix and what it stands for. */
private[rdfpatch] final case class Prefix(name: String, namespace: String)

/** The prefixes that a writer has declared. */
private[rdfpatch] final class Prefixes {
  // The longest namespace first; of equal ones, the one declared last.
  private[this] var declared = List.empty[Prefix]

  /** Declares a prefix, in place of the one of that name. */
  def declare(name: String, namespace: String): Unit = {
    val (longer, others) =
      declared.filter(_.name != name).span(_.namespace.length > namespace.length)
    declared = longer ++ (Prefix(name, namespace) :: others)
  }

  /** The prefix to write an IRI with, which leaves a local name of it; null if there is none. */
  def of(iri: String): Prefix = {
    var rest = declared
    while (rest.nonEmpty && !fits(rest.head, iri)) rest = rest.tail
    if (rest.isEmpty) null else rest.head
  }

  private def fits(prefix: Prefix, iri: String): Boolean =
    iri.startsWith(prefix.namespace) && Names.isLocal(iri.substring(prefix.namespace.length))
}
