package org.jellyspark.text

import java.io.ByteArrayOutputStream
import java.util.Locale

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.terms.{Iri, Literal, Term}

/** Writes the terms of RDF statements in the canonical form of RDF 1.2's N-Triples: language tags
  * in lower case, and control characters, U+FFFE and U+FFFF in literals as escapes. Also refuses
  * what RDF 1.2 does not allow.
  */
private[jellyspark] final class CanonicalTermWriter(out: TextOutput)
    extends StatementTermWriter(out) {
  import CanonicalTermWriter._

  protected override def anyTest: CanonicalTerms.Test = AnyTest

  protected override def checkTripleAsSubject(): Unit = refuse(TripleRule)

  protected override def putLiteral(literal: Literal): Unit = {
    out.put('"')
    out.put(literal.lex, Escapes.Canonical, "a literal")
    out.put('"')
    if (literal.lang != null) {
      out.put('@')
      out.put(literal.lang.toLowerCase(Locale.ROOT))
    } else if (literal.datatype != null) {
      if (!Rdf12Literals.isDatatype(literal.datatype)) refuse(DatatypeRule)
      out.put("^^")
      out.put(Iri(literal.datatype).utf8)
    }
  }

  protected override def checkLanguageTag(tag: String): Unit = {
    super.checkLanguageTag(tag)
    if (!Rdf12Literals.isTag(tag)) refuse(SubtagRule)
  }
}

private[jellyspark] object CanonicalTermWriter {
  private val DatatypeRule = "a literal with rdf:langString or rdf:dirLangString needs a tag"
  private val TripleRule = "canonical N-Triples can hold a triple term only as an object"
  private val SubtagRule = "a subtag of a language tag must have at most 8 characters"

  // Longer than most terms, in bytes.
  private final val LongTerm = 1 << 8

  /** Returns a term as this writer writes it as an object, in UTF-8.
    *
    * @throws org.jellyspark.core.errors.RefusedException
    *   if the term cannot be an object in canonical N-Triples
    */
  def format(term: Term): Array[Byte] = {
    val bytes = new ByteArrayOutputStream
    val out = new TextOutput(bytes, LongTerm)
    new CanonicalTermWriter(out).obj(term)
    out.flush()
    bytes.toByteArray
  }

  /** Recognizes terms that can be written unchanged. */
  private val AnyTest: CanonicalTerms.Test = (bytes, at) => {
    val end = CanonicalTerms.any(bytes, at)
    if (end == CanonicalTerms.NotCanonical || bytes(at) != '"' || isCanonical(bytes, at, end)) end
    else CanonicalTerms.NotCanonical
  }

  /** Whether a literal, which follows the grammar of N-Triples, is in RDF 1.2's canonical form. May
    * return false for one that is.
    */
  private def isCanonical(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    val isTagged = bytes(to - 1) != '"' && bytes(to - 1) != '>'
    var i = from
    while (i < to && !needsEscape(bytes(i))) i += 1
    i == to && Rdf12Literals.isLiteral(bytes, from, to) &&
    !(isTagged && hasUpperCase(bytes, to))
  }

  // U+FFFE and U+FFFF begin with the byte 0xEF, as other characters do.
  private def needsEscape(b: Byte): Boolean = (b >= 0 && b < ' ') || b == 0x7f || b == 0xef.toByte

  /** Whether the language tag that ends at `to`, after an `@`, has an upper-case letter. */
  private def hasUpperCase(bytes: Array[Byte], to: Int): Boolean = {
    var i = to - 1
    while (bytes(i) != '@' && !(bytes(i) >= 'A' && bytes(i) <= 'Z')) i -= 1
    bytes(i) != '@'
  }
}
