package org.jellyspark.jena.riot

import java.util.HashSet

import org.apache.jena.datatypes.BaseDatatype
import org.apache.jena.graph.{Node, NodeFactory}

import org.jellyspark.core.errors.MalformedRowException.{malformed, quoted}
import org.jellyspark.core.terms._
import org.jellyspark.jena.codecs.JenaTerms
import org.jellyspark.text.{Rdf12Literals, TurtleNames}
import org.jellyspark.text.TurtleNames.isAbsolute

/** Converts the nodes of a file to terms.
  *
  * One thread parses the file, and another one calls `of`: together, the two take less time.
  *
  * The methods throw a [[org.jellyspark.core.errors.MalformedRowException]] if a node is not an RDF
  * term.
  */
private[riot] final class NodeTerms(syntax: Syntax, options: RdfOptions) {
  import NodeTerms._

  /** The marks in the file, in RDF/XML and JSON-LD. Set before there are nodes. */
  @volatile var marks: Option[Marks] = None

  /** A text of the parser without marks. */
  def restored(text: String): String = marks.fold(text)(_.restore(text))

  private def resolved(iri: String): String = marks.fold(iri)(_.resolved(iri))

  // A direct-mapped cache of IRIs. Jena has one, too, so the same IRI is mostly the same node.
  private[this] val nodes = new Array[Node](CacheSize)
  private[this] val iris = new Array[Iri](CacheSize)

  // The last language tag that was checked.
  private[this] var lastTag = new WrittenTag(null)

  // The datatypes of the file, and the last one that was counted.
  private[this] val datatypes = new HashSet[String]
  private[this] var lastDatatype: String = _

  /** The term of a node. */
  def of(node: Node): Term = of(node, 0)

  /** Creates the node of a literal with a language tag, as it is written: Jena would change its
    * case.
    */
  def tagged(lex: String, written: String): Node = {
    val tag = restored(written)
    if (tag != lastTag.tag) {
      if (!TurtleNames.isLanguageTag(tag)) malformed("a language tag", quoted(tag))
      if (options.strict && !Rdf12Literals.isTag(tag))
        malformed("a language tag with subtags of at most 8 characters", quoted(tag))
      lastTag = new WrittenTag(tag)
    }
    NodeFactory.createLiteralDT(lex, lastTag)
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

  private def checked(written: String): Iri = {
    val value = resolved(written)
    checkIri(value)
    Iri(value)
  }

  private def checkUnicode(text: String): Unit =
    if (syntax == Syntax.JsonLd && JsonLd.hasLoneSurrogate(text))
      malformed("Unicode characters", s"a lone surrogate in ${quoted(text)}")

  /** Checks that an IRI is absolute and, in strict mode, that it is one of RFC 3987. */
  def checkIri(value: String): Unit = {
    if (
      value.isEmpty || JsonLd.isWithoutBase(value) || (options.base.isEmpty && !isAbsolute(value))
    )
      malformed(AbsoluteIri, RelativeIri)
    if (!isAbsolute(value)) malformed("an absolute IRI", quoted(value))
    checkUnicode(value)
    if (options.strict && !IriSyntax.isIri(value)) malformed("an IRI of RFC 3987", quoted(value))
  }

  /** Checks the number of datatypes: Jena keeps them for as long as the JVM runs. */
  private def countDatatype(iri: String): Unit = if (iri != null && iri != lastDatatype) {
    datatypes.add(iri)
    if (datatypes.size > MaxDatatypes)
      malformed(s"at most $MaxDatatypes datatypes in a file", "more of them")
    lastDatatype = iri
  }

  private def literal(node: Node): Literal = {
    val written = node.getLiteralDatatype match {
      case written: WrittenTag => Literal.tagged(node.getLiteralLexicalForm, written.tag)
      case _                   => JenaTerms.toLiteral(node)
    }
    checkUnicode(written.lex)
    val found = unmarked(if (syntax == Syntax.JsonLd) JsonLd.withDirection(written) else written)
    if (found.datatype != null) {
      checkIri(found.datatype)
      if (options.strict && !Rdf12Literals.isDatatype(found.datatype))
        malformed("a language tag", s"the datatype <${found.datatype}> without one")
      countDatatype(found.datatype)
    }
    found
  }

  private def unmarked(literal: Literal): Literal = {
    def part(text: String, of: String => String): String = if (text == null) null else of(text)
    if (marks.isEmpty) literal
    else
      literal.copy(
        restored(literal.lex),
        part(literal.lang, restored),
        part(literal.datatype, resolved)
      )
  }
}

private[riot] object NodeTerms {

  /** What a relative IRI without a base is, and what is expected instead. */
  val AbsoluteIri = "an absolute IRI, or an option base"
  val RelativeIri = "a relative IRI without a base"

  /** The longest IRI that is cached. Caches have a limit for the number of IRIs. */
  final val MaxCachedIri = 1000 // characters

  private final val MaxDatatypes = 10000
  private final val CacheSize = 1 << 12

  /** Stands for the datatype of a literal with a language tag. */
  private final class WrittenTag(val tag: String) extends BaseDatatype(Literal.RdfLangString)
}
