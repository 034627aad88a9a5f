package org.jellyspark.core.terms

import org.jellyspark.core.bytes.Utf8

/** The number of bytes of terms in canonical N-Triples, of their parts, without making the text.
  *
  * A bound is a number that the size is not above, from the lengths of the parts alone.
  */
private[jellyspark] object NTriplesSize {

  /** The most bytes that one UTF-16 unit of a part of a term becomes: those of `\u0020`. */
  private final val MaxPerUnit = 6L

  /** The bytes around the terms of a quoted triple: `<< `, two blanks and ` >>`. */
  final val AroundTriple = 8L

  def ofIri(iri: String): Long = {
    // The `_` of an IRI that begins as a blank node is escaped.
    val escaped = if (iri.startsWith("_:")) MaxPerUnit - 1 else 0
    2 + escaped + ofIriChars(iri)
  }

  def boundOfIri(iri: String): Long = 2 + MaxPerUnit * iri.length

  def ofBlankNode(label: String): Long =
    if (NTriplesChars.isBlankNodeLabel(label)) 2 + ofText(label) else 4 + ofIriChars(label)

  def boundOfBlankNode(label: String): Long = 4 + MaxPerUnit * label.length

  /** The size of a literal; `lang` and `datatype` are null where it has none. */
  def ofLiteral(lex: String, lang: String, datatype: String): Long =
    2 + ofLexicalForm(lex) + (if (lang == null) 0 else 1 + ofLanguageTag(lang)) +
      (if (datatype == null) 0 else 2 + ofIri(datatype))

  def boundOfLiteral(lex: String, lang: String, datatype: String): Long =
    2 + 3L * lex.length + (if (lang == null) 0 else 1 + MaxPerUnit * lang.length) +
      (if (datatype == null) 0 else 2 + boundOfIri(datatype))

  /** The size of a string in UTF-8. */
  def ofText(text: String): Long = sum(text)(ofUnit)

  private def ofIriChars(iri: String): Long =
    sum(iri)(c => if (NTriplesChars.isIriChar(c.toChar)) ofUnit(c) else MaxPerUnit)

  private def ofLexicalForm(lex: String): Long =
    sum(lex)(c => if (NTriplesChars.isLiteralChar(c.toChar)) ofUnit(c) else 2)

  /** The sum of the sizes of a text's UTF-16 units. As an `Int`, a unit is not boxed. */
  private def sum(text: String)(size: Int => Long): Long = {
    var total = 0L
    var i = 0
    while (i < text.length) {
      total += size(text.charAt(i).toInt)
      i += 1
    }
    total
  }

  private def ofLanguageTag(tag: String): Long = {
    var size = 0L
    var i = 0
    while (i < tag.length) {
      val c = tag.codePointAt(i)
      size += (if (NTriplesChars.isLanguageTagChar(c)) 1L else if (c < 0x10000) 6L else 10L)
      i += Character.charCount(c)
    }
    size
  }

  /** The bytes of a UTF-16 unit in UTF-8; half of a pair's four bytes for a surrogate. */
  private def ofUnit(unit: Int): Long =
    if (Character.isSurrogate(unit.toChar)) 2L else Utf8.length(unit).toLong
}
