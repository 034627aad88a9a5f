package org.jellyspark.text

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.terms.Literal

/** The literals that RDF 1.2 forbids, although the grammar of N-Triples has them: those with a long
  * subtag, and those with the datatype rdf:langString or rdf:dirLangString, which have no tag.
  */
private[jellyspark] object Rdf12Literals {

  /** The most characters of a subtag of a language tag (BCP 47). */
  private final val MaxSubtag = 8

  private val TagDatatypes = Set(Literal.RdfLangString, Literal.RdfDirLangString)
  private val TagDatatypeEnds = TagDatatypes.toArray.map(iri => s"^^<$iri>".getBytes(UTF_8))

  /** Whether RDF 1.2 allows a language tag that follows the grammar. */
  def isTag(tag: String): Boolean = tag.split('-').forall(_.length <= MaxSubtag)

  /** Whether RDF 1.2 allows a datatype beside a lexical form, without a language tag. */
  def isDatatype(iri: String): Boolean = !TagDatatypes(iri)

  /** Whether RDF 1.2 allows the literal `bytes[from, to)`. Its tag or datatype must have neither
    * white space before it nor escapes.
    */
  def isLiteral(bytes: Array[Byte], from: Int, to: Int): Boolean = bytes(to - 1) match {
    case '"' => true
    case '>' => !TagDatatypeEnds.exists(endsWith(bytes, from, to, _))
    case _   => isTag(bytes, to)
  }

  private def endsWith(bytes: Array[Byte], from: Int, to: Int, end: Array[Byte]): Boolean =
    to - from >= end.length && Arrays.equals(bytes, to - end.length, to, end, 0, end.length)

  /** Whether RDF 1.2 allows the language tag that ends at `to`, after an `@`. */
  private def isTag(bytes: Array[Byte], to: Int): Boolean = {
    var i = to
    var end = to
    while (i > 0 && bytes(i - 1) != '@' && end - i <= MaxSubtag) {
      i -= 1
      if (bytes(i) == '-') end = i
    }
    end - i <= MaxSubtag
  }
}
