package org.jellyspark.core.terms

/** The character classes of N-Triples' grammar. */
private[jellyspark] object NTriplesChars {

  /** Whether canonical N-Triples writes a character of a literal without an escape. */
  def isLiteralChar(c: Char): Boolean = c != '"' && c != '\\' && c != '\n' && c != '\r'

  /** Whether IRIREF allows a character without an escape. */
  def isIriChar(c: Char): Boolean =
    c > ' ' && (c match {
      case '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`' | '\\' => false
      case _                                                    => true
    })

  /** Whether LANGTAG allows a character after the `@`. */
  def isLanguageTagChar(c: Int): Boolean = isAsciiLetter(c) || isDigit(c) || c == '-'

  /** Whether a string matches BLANK_NODE_LABEL, after the `_:`.
    *
    * RDF 1.1 allows colons in labels, but later versions do not, and neither does this method.
    */
  def isBlankNodeLabel(label: String): Boolean = {
    val n = label.length
    if (n == 0 || label.charAt(n - 1) == '.') return false
    var i = 0
    while (i < n) {
      val c = label.codePointAt(i)
      if (!(if (i == 0) isLabelStart(c) else isLabelPart(c))) return false
      i += Character.charCount(c)
    }
    true
  }

  /** Whether a label may begin with a character. */
  def isLabelStart(c: Int): Boolean =
    isAsciiLetter(c) || c == '_' || isDigit(c) || isBaseBeyondAscii(c)

  /** Whether a character may follow the first one in a label. The last one must not be a dot. */
  def isLabelPart(c: Int): Boolean =
    isLabelStart(c) || c == '-' || c == '.' || isExtenderBeyondAscii(c)

  /** PN_CHARS_BASE without the ASCII letters. */
  def isBaseBeyondAscii(c: Int): Boolean =
    (c >= 0xc0 && c <= 0x2ff && c != 0xd7 && c != 0xf7) ||
      (c >= 0x370 && c <= 0x1fff && c != 0x37e) ||
      c == 0x200c || c == 0x200d ||
      (c >= 0x2070 && c <= 0x218f) ||
      (c >= 0x2c00 && c <= 0x2fef) ||
      (c >= 0x3001 && c <= 0xd7ff) ||
      (c >= 0xf900 && c <= 0xfdcf) ||
      (c >= 0xfdf0 && c <= 0xfffd) ||
      (c >= 0x10000 && c <= 0xeffff)

  /** The non-ASCII characters that PN_CHARS adds to PN_CHARS_BASE. */
  def isExtenderBeyondAscii(c: Int): Boolean =
    c == 0xb7 || (c >= 0x300 && c <= 0x36f) || c == 0x203f || c == 0x2040

  private def isAsciiLetter(c: Int): Boolean = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')

  private def isDigit(c: Int): Boolean = c >= '0' && c <= '9'
}
