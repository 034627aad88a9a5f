package org.jellyspark.core.terms

import org.jellyspark.core.bytes.Utf8

/** Computes the number of bytes of terms and their components in canonical N-Triples, without
  * creating the text.
  *
  * A bound is an upper bound of the size, computed from the lengths of the components alone.
  */
private[jellyspark] object NTriplesSize {

  /** The most bytes that one UTF-16 code unit can become: those of `\u0020`. */
  private final val MaxPerUnit = 6L

  /** The bytes around the terms of a quoted triple: `<< `, two spaces and ` >>`. */
  final val AroundTriple = 8L

  def ofIri(iri: String): Long = {
    // The `_` of an IRI that begins like a blank node is escaped.
    val escaped = if (iri.startsWith("_:")) MaxPerUnit - 1 else 0
    2 + escaped + ofIriChars(iri)
  }

  def boundOfIri(iri: String): Long = 2 + MaxPerUnit * iri.length

  def ofBlankNode(label: String): Long =
    if (NTriplesChars.isBlankNodeLabel(label)) 2 + ofText(label) else 4 + ofIriChars(label)

  def boundOfBlankNode(label: String): Long = 4 + MaxPerUnit * label.length

  /** The size of a literal. `lang` and `datatype` are null if it has none. */
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

  /** The sum of the sizes of a text's UTF-16 code units. Units are passed as `Int` to avoid boxing.
    */
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

  /** The number of bytes of a UTF-16 code unit in UTF-8. A surrogate counts as two of its pair's
    * four bytes.
    */
  private def ofUnit(unit: Int): Long =
    if (Character.isSurrogate(unit.toChar)) 2L else Utf8.length(unit).toLong
}
