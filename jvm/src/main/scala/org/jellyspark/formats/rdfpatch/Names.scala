package org.jellyspark.formats.rdfpatch

/** The characters of names: words, prefixes and local names, as Turtle has them (PN_PREFIX,
  * PN_LOCAL), and as Jena with every character beyond U+FFFF.
  */
private[rdfpatch] object Names {

  /** PN_CHARS_BASE. */
  def isStart(c: Int): Boolean = isLetter(c) || (c >= 0xc0 && isStartBeyondAscii(c))

  /** PN_CHARS. */
  def isPart(c: Int): Boolean =
    isLetter(c) || isDigit(c) || c == '_' || c == '-' || (c >= 0xb7 && isPartBeyondAscii(c))

  /** What a local name may begin with, and what it may hold, without an escape. */
  def isLocalStart(c: Int): Boolean = isStart(c) || isDigit(c) || c == '_' || c == ':'

  def isLocalPart(c: Int): Boolean = isPart(c) || c == ':'

  /** What a local name may hold behind a backslash (PN_LOCAL_ESC). */
  def isEscapable(c: Int): Boolean = Escapable.indexOf(c) >= 0

  def isLetter(c: Int): Boolean = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')

  def isLetterOrDigit(c: Int): Boolean = isLetter(c) || isDigit(c)

  def isDigit(c: Int): Boolean = c >= '0' && c <= '9'

  /** Whether a text is a word, as are the codes of rows. */
  def isWord(text: String): Boolean = isName(text, isStart, isPart)

  /** Whether a text can be written as a local name without an escape. */
  def isLocal(text: String): Boolean = text.isEmpty || isName(text, isLocalStart, isLocalPart)

  /** LANGTAG, with a base direction as in RDF 1.2. */
  def isLanguageTag(tag: String): Boolean = {
    var i = 0
    while (i < tag.length && isLetter(tag.charAt(i).toInt)) i += 1
    var isTag = i > 0
    while (isTag && i < tag.length) {
      val start = i + 1
      isTag = tag.charAt(i) == '-'
      if (isTag && tag.startsWith("-", start)) {
        isTag = Directions(tag.substring(start + 1))
        i = tag.length
      } else {
        i = start
        while (i < tag.length && isLetterOrDigit(tag.charAt(i).toInt)) i += 1
        isTag &&= i > start
      }
    }
    isTag
  }

  /** The base directions of text. */
  val Directions: Set[String] = Set("ltr", "rtl")

  /** Whether an IRI has a scheme. */
  def isAbsolute(iri: String): Boolean = {
    var i = 0
    while (i < iri.length && isSchemePart(iri.charAt(i).toInt)) i += 1
    i > 0 && i < iri.length && iri.charAt(i) == ':' && isLetter(iri.charAt(0).toInt)
  }

  private def isSchemePart(c: Int): Boolean =
    isLetter(c) || isDigit(c) || c == '+' || c == '-' || c == '.'

  private def isName(text: String, isStart: Int => Boolean, isPart: Int => Boolean): Boolean = {
    val length = text.length
    if (length == 0 || text.charAt(length - 1) == '.') return false
    var i = 0
    while (i < length) {
      val c = text.codePointAt(i)
      if (!(if (i == 0) isStart(c) else c == '.' || isPart(c))) return false
      i += Character.charCount(c)
    }
    true
  }

  private val Escapable = "_~.-!$&'()*+,;=/?#@%"

  private def isStartBeyondAscii(c: Int): Boolean =
    (c <= 0x2ff && c != 0xd7 && c != 0xf7) ||
      (c >= 0x370 && c <= 0x1fff && c != 0x37e) ||
      c == 0x200c || c == 0x200d ||
      (c >= 0x2070 && c <= 0x218f) ||
      (c >= 0x2c00 && c <= 0x2fef) ||
      (c >= 0x3001 && c <= 0xd7ff) ||
      (c >= 0xf900 && c <= 0xfdcf) ||
      (c >= 0xfdf0 && c <= 0xfffd) ||
      c >= 0x10000

  private def isPartBeyondAscii(c: Int): Boolean =
    c == 0xb7 || (c >= 0xc0 && isStartBeyondAscii(c)) ||
      (c >= 0x300 && c <= 0x36f) || c == 0x203f || c == 0x2040
}
