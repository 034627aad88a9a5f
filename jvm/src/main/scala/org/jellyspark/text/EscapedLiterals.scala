package org.jellyspark.text

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.terms.{EscapeSequences, LiteralEscapes}

/** Converts literals with any escape sequences, such as `\t` and `\u00e9`, to canonical N-Triples.
  *
  * The conversion happens in place, because the canonical form is never longer. The array must be
  * padded as [[CanonicalTerms]] requires.
  */
private[jellyspark] object EscapedLiterals {

  /** Makes a literal canonical.
    *
    * @param end
    *   the index after the literal, as returned by [[CanonicalTerms.escapedLiteral]]
    * @return
    *   the index after the canonical form
    */
  def makeCanonical(bytes: Array[Byte], at: Int, end: Int): Int = {
    var from = at + 1
    var to = from
    while (bytes(from) != '"') {
      if (bytes(from) == '\\') {
        val c = EscapeSequences.codePointAt(bytes, from)
        from += EscapeSequences.lengthAt(bytes, from)
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
