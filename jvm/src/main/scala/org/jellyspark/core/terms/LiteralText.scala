package org.jellyspark.core.terms

import org.jellyspark.core.bytes.{Swar, Utf8}

/** Locates the components of a literal in its canonical text. One object is reused for many
  * literals.
  *
  * For each component there is the index at which it begins and the index after it.
  */
private[jellyspark] final class LiteralText {
  import LiteralText._

  /** The lexical form, including its escapes. */
  var lexFrom: Int = 0
  var lexTo: Int = 0

  /** The number of escapes in the lexical form. Each has two bytes that stand for one. */
  var escapes: Int = 0

  /** The language tag; both indexes are 0 if there is none. */
  var tagFrom: Int = 0
  var tagTo: Int = 0

  /** The index after the language in the tag: [[tagTo]], or that of the `--` before a base
    * direction.
    */
  var languageTo: Int = 0

  /** The IRI of the datatype, without angle brackets; both indexes are 0 if there is none. */
  var datatypeFrom: Int = 0
  var datatypeTo: Int = 0

  /** Locates the components of the text `bytes[from, to)`, which begins with a quote.
    *
    * @return
    *   whether the text is the canonical text of a literal, except for the datatype: the caller
    *   must check that it is an IRI without escapes and not xsd:string
    */
  def scan(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    tagFrom = 0
    tagTo = 0
    datatypeFrom = 0
    datatypeTo = 0
    scanLexicalForm(bytes, from + 1, to) && {
      val at = lexTo + 1
      if (at == to) true
      else if (bytes(at) == '@') scanTag(bytes, at + 1, to)
      else scanDatatype(bytes, at, to)
    }
  }

  /** The length in bytes of the lexical form without escapes. */
  def length: Int = lexTo - lexFrom - escapes

  /** Returns the lexical form that [[scan]] found, without escapes. */
  def unescaped(bytes: Array[Byte]): Array[Byte] = {
    val out = new Array[Byte](length)
    var at = 0
    var i = lexFrom
    while (i < lexTo) {
      val isEscape = bytes(i) == '\\'
      if (isEscape) i += 1
      out(at) = if (isEscape) LiteralEscapes.unescaped(bytes(i)) else bytes(i)
      at += 1
      i += 1
    }
    out
  }

  /** Scans the lexical form and its closing quote. */
  private def scanLexicalForm(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    lexFrom = from
    escapes = 0
    var i = from
    while (i < to) {
      i = skipWords(bytes, i, to)
      if (i < to) {
        val b = bytes(i)
        if (b == '"') {
          lexTo = i
          return true
        } else if (b == '\\') {
          if (i + 1 == to || !LiteralEscapes.isLetter(bytes(i + 1))) return false
          escapes += 1
          i += 2
        } else if (b < 0) {
          val length = Utf8.sequence(bytes, i, to)
          if (length == 0) return false
          i += length
        } else if (b == '\n' || b == '\r') return false
        else i += 1
      }
    }
    false
  }

  private def scanTag(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    tagFrom = from
    tagTo = to
    languageTo = NTriplesBytes.endOfLanguage(bytes, from, to)
    to > from && languageTo != NTriplesBytes.NoTag
  }

  private def scanDatatype(bytes: Array[Byte], at: Int, to: Int): Boolean = {
    datatypeFrom = at + 3
    datatypeTo = to - 1
    to - at >= 4 && bytes(at) == '^' && bytes(at + 1) == '^' && bytes(at + 2) == '<' &&
    bytes(to - 1) == '>'
  }
}

private object LiteralText {

  /** Skips ASCII that needs no escape, one word at a time.
    *
    * @return
    *   the index of the first other byte, or of the bytes at the end that do not fill a word
    */
  private def skipWords(bytes: Array[Byte], at: Int, to: Int): Int = {
    var i = at
    while (i + Swar.Size <= to) {
      val word = Swar.load(bytes, i)
      val marks = NTriplesSwar.literalNeedsEscape(word) | Swar.nonAscii(word)
      if (marks != 0) return i + Swar.firstMarked(marks)
      i += Swar.Size
    }
    i
  }
}
