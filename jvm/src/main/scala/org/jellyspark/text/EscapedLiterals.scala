package org.jellyspark.text

import org.jellyspark.core.bytes.{Swar, Utf8}
import org.jellyspark.core.terms.{EscapeSequences, LiteralEscapes, NTriplesSwar}

/** Converts literals with any escape sequences, such as `\t` and `\u00e9`, to canonical N-Triples.
  *
  * The conversion happens in place, because the canonical form is never longer. The array must be
  * padded as [[CanonicalTerms]] requires.
  */
private[jellyspark] object EscapedLiterals {
  import CanonicalTerms.NotCanonical

  /** Returns the index after the literal that begins at `at`, or [[CanonicalTerms.NotCanonical]] if
    * the literal is malformed or of a rare form and must be parsed.
    */
  def end(bytes: Array[Byte], at: Int): Int = {
    val quote = endOfLexicalForm(bytes, at + 1)
    if (quote == NotCanonical) NotCanonical else CanonicalTerms.endOfLiteral(bytes, quote)
  }

  private def endOfLexicalForm(bytes: Array[Byte], from: Int): Int = {
    var i = from
    while (true) {
      val marks = NTriplesSwar.literalNeedsEscape(Swar.load(bytes, i))
      if (marks == 0) i += Swar.Size
      else {
        i += Swar.firstMarked(marks)
        if (bytes(i) == '"') return if (Utf8.isValid(bytes, from, i)) i else NotCanonical
        if (bytes(i) != '\\' || codePoint(bytes, i) < 0) return NotCanonical
        i += lengthOfEscape(bytes, i)
      }
    }
    NotCanonical
  }

  /** Makes a literal canonical.
    *
    * @param end
    *   the index after the literal, as returned by [[EscapedLiterals.end]]
    * @return
    *   the index after the canonical form
    */
  def makeCanonical(bytes: Array[Byte], at: Int, end: Int): Int = {
    var from = at + 1
    var to = from
    while (bytes(from) != '"') {
      if (bytes(from) == '\\') {
        val c = codePoint(bytes, from)
        from += lengthOfEscape(bytes, from)
        to += put(c, bytes, to)
      } else {
        bytes(to) = bytes(from)
        from += 1
        to += 1
      }
    }
    System.arraycopy(bytes, from, bytes, to, end - from)
    to + end - from
  }

  private def lengthOfEscape(bytes: Array[Byte], at: Int): Int = bytes(at + 1) match {
    case 'u' => 6
    case 'U' => 10
    case _   => 2
  }

  /** The code point that an escape sequence stands for; negative if the sequence is malformed. */
  private def codePoint(bytes: Array[Byte], at: Int): Int = bytes(at + 1) match {
    case 'u' => unicode(bytes, at, 4)
    case 'U' => unicode(bytes, at, 8)
    case c   => EscapeSequences.simple(c.toInt)
  }

  private def unicode(bytes: Array[Byte], at: Int, digits: Int): Int = {
    val from = at + 2
    val code = EscapeSequences.hexadecimal(bytes, from, from + digits)
    if (EscapeSequences.isCharacter(code)) code.toInt else EscapeSequences.NoCharacter
  }

  private def put(c: Int, bytes: Array[Byte], at: Int): Int = {
    val letter = if (c < 0x80) LiteralEscapes.of(c.toByte) else 0.toByte
    if (letter == 0) Utf8.encode(c, bytes, at)
    else {
      bytes(at) = '\\'
      bytes(at + 1) = letter
      2
    }
  }
}
