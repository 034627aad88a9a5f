package org.jellyspark.core.terms

import org.jellyspark.core.bytes.{Swar, Utf8}

/** Tests IRIs as bytes, and splits them into a prefix and a name. */
private[jellyspark] object IriText {
  // A fragment begins after "https://", counted in UTF-16 code units.
  private final val FragmentFrom = 8

  private val isAsciiIriChar: Array[Boolean] =
    Array.tabulate(0x80)(c => NTriplesChars.isIriChar(c.toChar))

  private val isAsciiNameChar: Array[Boolean] =
    Array.tabulate(0x80)(c => isAsciiIriChar(c) && c != '/' && c != '#')

  /** Whether `bytes[from, to)` is an IRI that canonical N-Triples writes without escapes, so that
    * its text without angle brackets has the same bytes as the IRI.
    */
  def isUnescaped(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    // In angle brackets, `_:x` is a blank node.
    if (to - from >= 2 && bytes(from) == '_' && bytes(from + 1) == ':') return false
    var i = from
    // Skips words in which no byte needs an individual check.
    while (i + Swar.Size <= to && marks(Swar.load(bytes, i)) == 0) i += Swar.Size
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

  /** Whether `bytes[from, to)` is the complete name of an IRI, ASCII and without escapes. The bytes
    * before `from` must be the prefix of an IRI without escapes, and not empty.
    *
    * May return false for such a name, for example if the prefix ends in `#`, after which the name
    * may contain a `/`.
    */
  def isUnescapedName(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i + Swar.Size <= to && nameMarks(Swar.load(bytes, i)) == 0) i += Swar.Size
    while (i < to && bytes(i) >= 0 && isAsciiNameChar(bytes(i).toInt)) i += 1
    i == to
  }

  /** The index at which the name of an IRI begins. IRIs are split in the same way as in Jelly-JVM:
    * after the first `#` that follows the scheme or, if there is none, after the last `/`. Without
    * either, the whole IRI is the name.
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

  private def marks(word: Long): Long = NTriplesSwar.iriNeedsEscape(word) | Swar.nonAscii(word)

  private def nameMarks(word: Long): Long =
    marks(word) | Swar.equal(word, Slash) | Swar.equal(word, Hash)

  private def hasHash(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i + Swar.Size <= to && Swar.equal(Swar.load(bytes, i), Hash) == 0) i += Swar.Size
    while (i < to && bytes(i) != '#') i += 1
    i < to
  }

  /** The index of the first `#` after the scheme; `to` if there is none. */
  private def fragmentHash(bytes: Array[Byte], from: Int, to: Int): Int = {
    var units = 0
    var i = from
    while (i < to && (bytes(i) != '#' || units < FragmentFrom)) {
      units += utf16Units(bytes(i))
      i += 1
    }
    i
  }

  /** The number of UTF-16 code units of the character that begins with a byte; 0 for a continuation
    * byte.
    */
  private def utf16Units(b: Byte): Int =
    if (b >= 0) 1 else if ((b & 0xc0) == 0x80) 0 else if ((b & 0xf8) == 0xf0) 2 else 1

  private val Slash = Swar.broadcast('/')
  private val Hash = Swar.broadcast('#')
}
