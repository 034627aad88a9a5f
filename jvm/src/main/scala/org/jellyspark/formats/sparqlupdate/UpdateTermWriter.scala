package org.jellyspark.formats.sparqlupdate

import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.terms.{BlankNode, Literal, NTriples, NTriplesChars}
import org.jellyspark.text.{CanonicalTerms, StatementTermWriter, TextOutput, TurtleNames}

/** Writes the terms of statements in the syntax of SPARQL 1.2, with IRIs in place of blank nodes.
  * Only triple terms and base directions need SPARQL 1.2; all else is SPARQL 1.1.
  *
  * @param skolemBase
  *   the beginning of these IRIs; empty to refuse blank nodes
  */
private[sparqlupdate] final class UpdateTermWriter(out: TextOutput, skolemBase: String)
    extends StatementTermWriter(out) {
  import UpdateTermWriter._

  override protected def resourceTest: CanonicalTerms.Test = CanonicalTerms.IriTest

  override protected def anyTest: CanonicalTerms.Test = ObjectTest

  override protected def putLiteral(literal: Literal): Unit =
    out.put(SparqlText.literal(NTriples.format(literal)).getBytes(UTF_8))

  override protected def putBlankNode(node: BlankNode): Unit = {
    if (skolemBase.isEmpty)
      refuse(s"a blank node needs the option ${SparqlUpdateOptions.SkolemBaseKey}")
    out.put('<')
    out.put(skolemBase.getBytes(UTF_8))
    out.put(percentEncoded(node.label).getBytes(UTF_8))
    out.put('>')
  }

  override protected def checkTripleAsSubject(): Unit =
    refuse("SPARQL Update can hold a triple term only as an object")

  /** Refuses an IRI that would need `\u` escapes, because SPARQL replaces them before it parses an
    * IRI.
    */
  override protected def checkIri(iri: String): Unit = {
    super.checkIri(iri)
    if (!iri.forall(NTriplesChars.isIriChar)) refuse(IriRule)
  }

  override protected def checkLanguageTag(tag: String): Unit =
    if (!TurtleNames.isLanguageTag(tag))
      refuse("a language tag must follow SPARQL's grammar, as en or de-CH do")
}

private object UpdateTermWriter {

  /** Recognizes an IRI or a literal that all parsers read in the same way. */
  private val ObjectTest: CanonicalTerms.Test = (bytes, at) => {
    val end =
      if (bytes(at) == '"') CanonicalTerms.literal(bytes, at) else CanonicalTerms.iri(bytes, at)
    if (end == CanonicalTerms.NotCanonical || SparqlText.isAmbiguous(bytes, at, end))
      CanonicalTerms.NotCanonical
    else end
  }

  private val IriRule =
    "SPARQL Update cannot hold an IRI with a space, a control character or any " +
      "of <>\"{}|^`\\"

  /** Percent-encodes all characters of a label that are not `iunreserved` (RFC 3987, section 2.2).
    */
  private[sparqlupdate] def percentEncoded(label: String): String = {
    val out = new StringBuilder
    label.codePoints().forEach { c =>
      val character = Character.toString(c)
      if (isUnreserved(c)) out.append(character)
      else character.getBytes(UTF_8).foreach(b => out.append(f"%%${b & 0xff}%02X"))
    }
    out.toString
  }

  private def isUnreserved(c: Int): Boolean =
    if (c < 0x80) TurtleNames.is(c, TurtleNames.LetterOrDigit) || Marks.indexOf(c) >= 0
    else isUcs(c)

  private val Marks = "-._~"

  /** Whether a character is a `ucschar`. */
  private def isUcs(c: Int): Boolean =
    (c >= 0xa0 && c <= 0xd7ff) || (c >= 0xf900 && c <= 0xfdcf) || (c >= 0xfdf0 && c <= 0xffef) ||
      // U+E0000 to U+E0FFF and the last two characters of each plane are excluded.
      (c >= 0x10000 && c <= 0xefffd && (c & 0xffff) <= 0xfffd && (c < 0xe0000 || c >= 0xe1000))
}
