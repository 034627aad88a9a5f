package org.jellyspark.text

import org.jellyspark.core.terms.{BaseDirection, NTriplesChars}

/** The lexical rules of Turtle for prefixes (PN_PREFIX), local names (PN_LOCAL), blank node labels,
  * language tags and IRI schemes. As in Jena, names may contain every character from U+10000 on.
  */
private[jellyspark] object TurtleNames {

  /** Classes of characters, as bit flags: a character may be in several. */
  final val Letter = 1 // ASCII
  final val Digit = 2 // of ASCII
  final val LetterOrDigit = Letter | Digit
  final val TagPart = 4 // of a language tag
  final val Start = 8 // PN_CHARS_BASE
  final val Part = 16 // PN_CHARS
  final val LocalStart = 32 // the first character of a local name or a blank node label
  final val LocalPart = 64

  private val ascii = Array.tabulate[Byte](128) { b =>
    val c = b.toChar
    val isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
    val isDigit = c >= '0' && c <= '9'
    val isWord = isLetter || isDigit
    def kind(isOf: Boolean, kind: Int): Int = if (isOf) kind else 0
    (kind(isLetter, Letter) | kind(isDigit, Digit) | kind(isWord || c == '-', TagPart) |
      kind(isLetter, Start) | kind(isWord || c == '_' || c == '-', Part) |
      kind(isWord || c == '_' || c == ':', LocalStart) |
      kind(isWord || c == '_' || c == '-' || c == ':', LocalPart)).toByte
  }

  /** Whether a character is in a class, or in at least one of several. Negative numbers are in no
    * class.
    */
  def is(c: Int, kind: Int): Boolean =
    if (c < 0x80) c >= 0 && (ascii(c) & kind) != 0
    else
      ((kind & (Start | LocalStart)) != 0 && isStartBeyondAscii(c)) ||
      ((kind & (Part | LocalPart)) != 0 && isPartBeyondAscii(c))

  def isDigit(c: Int): Boolean = is(c, Digit)

  /** Whether a local name may contain the character after a backslash (PN_LOCAL_ESC). */
  def isEscapable(c: Int): Boolean = Escapable.indexOf(c) >= 0

  /** Whether a text is a word: a prefix, header key or row code that needs no quotes. */
  def isWord(text: String): Boolean = isName(text, Start, Part)

  /** Whether a text is a local name that needs no escapes. */
  def isLocal(text: String): Boolean = text.isEmpty || isName(text, LocalStart, LocalPart)

  /** Whether a text is a language tag (LANGTAG), with or without a base direction as in RDF 1.2. */
  def isLanguageTag(tag: String): Boolean = {
    var i = 0
    while (i < tag.length && is(tag.charAt(i).toInt, Letter)) i += 1
    var isTag = i > 0
    while (isTag && i < tag.length) {
      val start = i + 1
      isTag = tag.charAt(i) == '-'
      if (isTag && tag.startsWith("-", start)) {
        isTag = BaseDirection.all(tag.substring(start + 1))
        i = tag.length
      } else {
        i = start
        while (i < tag.length && is(tag.charAt(i).toInt, LetterOrDigit)) i += 1
        isTag &&= i > start
      }
    }
    isTag
  }

  /** Whether an IRI has a scheme. */
  def isAbsolute(iri: String): Boolean = {
    var i = 0
    while (i < iri.length && isSchemePart(iri.charAt(i).toInt)) i += 1
    i > 0 && i < iri.length && iri.charAt(i) == ':' && is(iri.charAt(0).toInt, Letter)
  }

  private def isSchemePart(c: Int): Boolean =
    is(c, LetterOrDigit) || c == '+' || c == '-' || c == '.'

  private def isName(text: String, start: Int, part: Int): Boolean = {
    val length = text.length
    if (length == 0 || text.charAt(length - 1) == '.') return false
    var i = 0
    while (i < length) {
      val c = text.codePointAt(i)
      if (!(if (i == 0) is(c, start) else c == '.' || is(c, part))) return false
      i += Character.charCount(c)
    }
    true
  }

  private val Escapable = "_~.-!$&'()*+,;=/?#@%"

  private def isStartBeyondAscii(c: Int): Boolean =
    c >= 0x10000 || NTriplesChars.isBaseBeyondAscii(c)

  private def isPartBeyondAscii(c: Int): Boolean =
    isStartBeyondAscii(c) || NTriplesChars.isExtenderBeyondAscii(c)
}
