package org.jellyspark.jena.riot

import java.util.{HashSet, Locale}

import org.apache.jena.graph.Node

import org.jellyspark.core.errors.MalformedRowException.{malformed, quoted}
import org.jellyspark.core.terms._
import org.jellyspark.jena.codecs.JenaTerms
import org.jellyspark.text.{Rdf12Literals, TurtleNames}

/** Converts the nodes of a file to terms.
  *
  * The methods throw a [[org.jellyspark.core.errors.MalformedRowException]] if a node is not an RDF
  * term.
  */
private[riot] final class NodeTerms(syntax: Syntax) {
  import NodeTerms._

  // A direct-mapped cache of IRIs. Jena has one, too, so the same IRI is mostly the same node.
  private[this] val nodes = new Array[Node](CacheSize)
  private[this] val iris = new Array[Iri](CacheSize)

  // The last language tag that was checked.
  private[this] var lastTag: String = _

  // The datatypes of the file, and the last one that was counted.
  private[this] val datatypes = new HashSet[String]
  private[this] var lastDatatype: String = _

  /** The term of a node. */
  def of(node: Node): Term = of(node, 0)

  /** Checks the language tag of a literal, before Jena does: its errors are not for users. */
  def checkTag(tag: String): Unit = if (tag != lastTag) {
    if (!TurtleNames.isLanguageTag(tag)) malformed("a language tag", quoted(tag))
    if (!Rdf12Literals.isTag(tag))
      malformed("a language tag with subtags of at most 8 characters", quoted(tag))
    lastTag = tag
  }

  /** Checks the label of a blank node: XML has some that no other syntax can hold. */
  def checkLabel(label: String): Unit =
    if (!NTriplesChars.isBlankNodeLabel(label)) malformed("a valid blank node label", quoted(label))

  private def of(node: Node, depth: Int): Term =
    if (node.isURI) cached(node)
    else if (node.isLiteral) literal(node)
    else if (node.isTripleTerm) {
      if (depth == TripleTerm.MaxDepth) TripleTerm.tooDeep()
      val triple = node.getTriple
      TripleTerm(
        of(triple.getSubject, depth + 1),
        of(triple.getPredicate, depth + 1),
        of(triple.getObject, depth + 1)
      )
    } else JenaTerms.toTerm(node)

  private def cached(node: Node): Iri =
    if (node.getURI.length > MaxCachedIri) checked(node.getURI)
    else {
      val place = node.hashCode & (CacheSize - 1)
      if (nodes(place) != node) {
        iris(place) = checked(node.getURI)
        nodes(place) = node
      }
      iris(place)
    }

  private def checked(value: String): Iri = {
    if (!TurtleNames.isAbsolute(value)) malformed("an absolute IRI", quoted(value))
    if (!value.forall(NTriplesChars.isIriChar)) malformed("a valid IRI", quoted(value))
    Iri(value)
  }

  /** Checks the number of datatypes: Jena keeps them for as long as the JVM runs. */
  private def countDatatype(iri: String): Unit = if (iri != null && iri != lastDatatype) {
    datatypes.add(iri)
    if (datatypes.size > MaxDatatypes)
      malformed(s"at most $MaxDatatypes datatypes in a file", "more of them")
    lastDatatype = iri
  }

  private def literal(node: Node): Literal = {
    val written = JenaTerms.toLiteral(node)
    // Other syntaxes cannot hold lone surrogates.
    if (syntax == Syntax.JsonLd && written.lex.codePoints.anyMatch(isSurrogate(_)))
      malformed("Unicode characters", s"a lone surrogate in ${quoted(written.lex)}")
    val found = if (syntax == Syntax.JsonLd) JsonLd.withDirection(written) else written
    // Jena changes the case of language tags, too.
    if (found.lang != null) Literal.tagged(found.lex, found.lang.toLowerCase(Locale.ROOT))
    else {
      if (!Rdf12Literals.isDatatype(found.datatype))
        malformed("a language tag", s"the datatype <${found.datatype}> without one")
      countDatatype(found.datatype)
      found
    }
  }
}

private[riot] object NodeTerms {

  /** The longest IRI that is cached. Caches have a limit for the number of IRIs. */
  final val MaxCachedIri = 1000 // characters

  private final val MaxDatatypes = 10000
  private final val CacheSize = 1 << 12

  private def isSurrogate(c: Int): Boolean =
    c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE
}
