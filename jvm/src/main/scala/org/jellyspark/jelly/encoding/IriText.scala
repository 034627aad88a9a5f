package org.jellyspark.jelly.encoding

import org.jellyspark.core.bytes.{Swar, Utf8}
import org.jellyspark.core.terms.{NTriplesChars, NTriplesSwar}

/** Tests IRIs as bytes, and splits them into prefix and name. */
private[jellyspark] object IriText {
  // A fragment begins behind "https://", counted in UTF-16 units.
  private final val FragmentFrom = 8

  private val isAsciiIriChar: Array[Boolean] =
    Array.tabulate(0x80)(c => NTriplesChars.isIriChar(c.toChar))

  private val isAsciiNameChar: Array[Boolean] =
    Array.tabulate(0x80)(c => isAsciiIriChar(c) && c != '/' && c != '#')

  /** Whether the bytes from `from` to before `to` are an IRI that canonical N-Triples writes
    * without escapes: then its text, without the brackets, has the same bytes as the IRI itself.
    */
  def isUnescaped(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    // In brackets, `_:x` is a blank node.
    if (to - from >= 2 && bytes(from) == '_' && bytes(from + 1) == ':') return false
    var i = skipUnescapedWords(bytes, from, to)
    while (i < to) {
      val b = bytes(i)
      if (b >= 0) {
        if (!isAsciiIriChar(b.toInt)) return false
        i += 1
      } else {
        val length = Utf8.sequence(bytes, i, to)
        if (length == 0) return false
        i += length
      }
    }
    true
  }

  /** Whether the bytes from `from` to before `to` are the whole name of an IRI, and ASCII without
    * escapes. The bytes before them must be the prefix of an IRI without escapes, and not empty.
    *
    * True is certain. False may be returned for such a name too, for example behind a prefix that
    * ends in `#`, where the name may hold a `/`.
    */
  def isUnescapedName(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i + Swar.Size <= to && nameMarks(Swar.load(bytes, i)) == 0) i += Swar.Size
    while (i < to && bytes(i) >= 0 && isAsciiNameChar(bytes(i).toInt)) i += 1
    i == to
  }

  /** The index where the name of an IRI begins. IRIs are split as the reference splits them: behind
    * the first `#` that follows the scheme, or else behind the last `/`. Without either, the whole
    * IRI is the name.
    */
  def nameStart(bytes: Array[Byte], from: Int, to: Int): Int = {
    val hash = if (hasHash(bytes, from, to)) fragmentHash(bytes, from, to) else to
    if (hash < to) hash + 1
    else {
      var i = to - 1
      while (i >= from && bytes(i) != '/') i -= 1
      i + 1
    }
  }

  /** Skips words that need no closer look; returns the index of the first that does, or of the
    * bytes at the end that fill no word.
    */
  private def skipUnescapedWords(bytes: Array[Byte], from: Int, to: Int): Int = {
    var i = from
    while (i + Swar.Size <= to && marks(Swar.load(bytes, i)) == 0) i += Swar.Size
    i
  }

  private def marks(word: Long): Long = NTriplesSwar.iriNeedsEscape(word) | Swar.nonAscii(word)

  private def nameMarks(word: Long): Long =
    marks(word) | Swar.equal(word, Slash) | Swar.equal(word, Hash)

  private def hasHash(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i + Swar.Size <= to && Swar.equal(Swar.load(bytes, i), Hash) == 0) i += Swar.Size
    while (i < to && bytes(i) != '#') i += 1
    i < to
  }

  /** The index of the first `#` behind the scheme; `to` if there is none. */
  private def fragmentHash(bytes: Array[Byte], from: Int, to: Int): Int = {
    var units = 0
    var i = from
    while (i < to && (bytes(i) != '#' || units < FragmentFrom)) {
      units += utf16Units(bytes(i))
      i += 1
    }
    i
  }

  /** The number of UTF-16 units of the character that a byte begins; 0 for a byte that continues
    * one.
    */
  private def utf16Units(b: Byte): Int =
    if (b >= 0) 1 else if ((b & 0xc0) == 0x80) 0 else if ((b & 0xf8) == 0xf0) 2 else 1

  private val Slash = Swar.broadcast('/')
  private val Hash = Swar.broadcast('#')
}
