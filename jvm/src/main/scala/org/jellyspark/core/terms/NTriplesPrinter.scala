package org.jellyspark.core.terms

/** Formats the components of terms as canonical N-Triples.
  *
  * Canonical means: literals escape only `"`, `\`, line feed and carriage return; IRIs and language
  * tags escape what their grammar does not allow, as `\uXXXX` or `\UXXXXXXXX`. A blank node whose
  * label does not match BLANK_NODE_LABEL is written as in RDF Patch, `<_:label>`. To distinguish it
  * from an IRI that begins with `_:`, the `_` of such an IRI is escaped.
  */
private[terms] object NTriplesPrinter {
  private val HexDigits = "0123456789ABCDEF"

  def appendIri(iri: String, out: Appendable): Unit = {
    out.append('<')
    if (iri.startsWith("_:")) {
      out.append("\\u005F")
      appendIriChars(iri.substring(1), out)
    } else appendIriChars(iri, out)
    out.append('>')
  }

  def appendBlankNode(label: String, out: Appendable): Unit =
    if (NTriplesChars.isBlankNodeLabel(label)) out.append("_:").append(label)
    else {
      out.append("<_:")
      appendIriChars(label, out)
      out.append('>')
    }

  /** Appends a literal. `lang` and `datatype` are null if it has none. */
  def appendLiteral(
      lex: String,
      lang: String,
      datatype: String,
      out: Appendable
  ): Unit = {
    out.append('"')
    appendLexicalForm(lex, out)
    out.append('"')
    if (lang != null) {
      out.append('@')
      appendLanguageTag(lang, out)
    } else if (datatype != null) {
      out.append("^^")
      appendIri(datatype, out)
    }
  }

  private def appendLexicalForm(lex: String, out: Appendable): Unit =
    if (lex.forall(NTriplesChars.isLiteralChar)) out.append(lex)
    else {
      var i = 0
      while (i < lex.length) {
        lex.charAt(i) match {
          case '"'  => out.append("\\\"")
          case '\\' => out.append("\\\\")
          case '\n' => out.append("\\n")
          case '\r' => out.append("\\r")
          case c    => out.append(c)
        }
        i += 1
      }
    }

  private def appendIriChars(iri: String, out: Appendable): Unit =
    if (iri.forall(NTriplesChars.isIriChar)) out.append(iri)
    else {
      var i = 0
      while (i < iri.length) {
        val c = iri.charAt(i)
        if (NTriplesChars.isIriChar(c)) out.append(c) else appendEscape(c.toInt, out)
        i += 1
      }
    }

  private def appendLanguageTag(tag: String, out: Appendable): Unit = {
    var i = 0
    while (i < tag.length) {
      val c = tag.codePointAt(i)
      if (NTriplesChars.isLanguageTagChar(c)) out.append(c.toChar) else appendEscape(c, out)
      i += Character.charCount(c)
    }
  }

  private def appendEscape(c: Int, out: Appendable): Unit = {
    val isShort = c < 0x10000
    out.append(if (isShort) "\\u" else "\\U")
    // Digit by digit, because a formatter is about a hundred times slower, and a text may consist
    // of escapes.
    var shift = if (isShort) 12 else 28
    while (shift >= 0) {
      out.append(HexDigits.charAt(c >> shift & 0xf))
      shift -= 4
    }
  }
}
