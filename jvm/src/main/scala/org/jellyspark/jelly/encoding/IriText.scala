package org.jellyspark.jelly.encoding

import org.jellyspark.core.bytes.{Swar, Utf8}
import org.jellyspark.core.terms.{NTriplesChars, NTriplesSwar}

/** IRIs as bytes: what may stand in a text as it is, and where they are split for the lookups. */
private[jelly] object IriText {
  // A fragment is looked for behind the scheme and the slashes of "https://", in UTF-16 units.
  private final val FragmentFrom = 8

  private val isPlainAscii: Array[Boolean] =
    Array.tabulate(0x80)(c => NTriplesChars.isIriChar(c.toChar))

  private val isPlainInName: Array[Boolean] =
    Array.tabulate(0x80)(c => isPlainAscii(c) && c != '/' && c != '#')

  /** Whether an IRI has the same bytes in its canonical text as on the wire. */
  def isPlain(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    // Raw, `<_:x>` is a blank node.
    if (to - from >= 2 && bytes(from) == '_' && bytes(from + 1) == ':') return false
    var i = skipPlain(bytes, from, to)
    while (i < to) {
      val b = bytes(i)
      if (b >= 0) {
        if (!isPlainAscii(b.toInt)) return false
        i += 1
      } else {
        val length = Utf8.sequence(bytes, i, to)
        if (length == 0) return false
        i += length
      }
    }
    true
  }

  /** Whether the rest of an IRI is plain as well, and its name, where what stands before it is the
    * prefix of a plain IRI, and not empty. It may be so even if the answer is no.
    */
  def isPlainName(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i + Swar.Size <= to && marksInName(Swar.load(bytes, i)) == 0) i += Swar.Size
    while (i < to && bytes(i) >= 0 && isPlainInName(bytes(i).toInt)) i += 1
    i == to
  }

  /** Where the name of an IRI begins, split as the reference does: after the first `#` behind the
    * scheme, else after the last `/`, else there is no prefix.
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

  /** The first byte from `from` on that may not be plain, or is near the end. */
  private def skipPlain(bytes: Array[Byte], from: Int, to: Int): Int = {
    var i = from
    while (i + Swar.Size <= to && marks(Swar.load(bytes, i)) == 0) i += Swar.Size
    i
  }

  private def marks(word: Long): Long = NTriplesSwar.iriNeedsEscape(word) | Swar.nonAscii(word)

  private def marksInName(word: Long): Long =
    marks(word) | Swar.equal(word, Slashes) | Swar.equal(word, Hashes)

  /** Whether there is a `#`. */
  private def hasHash(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i + Swar.Size <= to && Swar.equal(Swar.load(bytes, i), Hashes) == 0) i += Swar.Size
    while (i < to && bytes(i) != '#') i += 1
    i < to
  }

  /** Where the first `#` behind the scheme is; `to` if there is none. */
  private def fragmentHash(bytes: Array[Byte], from: Int, to: Int): Int = {
    var units = 0
    var i = from
    while (i < to && (bytes(i) != '#' || units < FragmentFrom)) {
      units += unitsOf(bytes(i))
      i += 1
    }
    i
  }

  /** The UTF-16 units of the character that begins with a byte; none where none begins. */
  private def unitsOf(b: Byte): Int =
    if (b >= 0) 1 else if ((b & 0xc0) == 0x80) 0 else if ((b & 0xf8) == 0xf0) 2 else 1

  private val Slashes = Swar.broadcast('/')
  private val Hashes = Swar.broadcast('#')
}
