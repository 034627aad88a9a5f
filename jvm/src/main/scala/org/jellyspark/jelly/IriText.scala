package org.jellyspark.jelly

import org.jellyspark.core.{NTriples, Utf8}

/** IRIs as bytes: what may stand in a text as it is, and where they are split for the lookups. */
private[jelly] object IriText {
  // A fragment is looked for behind the scheme and the slashes of "https://", in UTF-16 units.
  private final val FragmentFrom = 8

  private val isPlainAscii: Array[Boolean] =
    Array.tabulate(0x80)(c => NTriples.isIriChar(c.toChar))

  private val isPlainInName: Array[Boolean] =
    Array.tabulate(0x80)(c => isPlainAscii(c) && c != '/' && c != '#')

  /** Whether an IRI has the same bytes in its canonical text as on the wire. */
  def isPlain(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    // Raw, `<_:x>` is a blank node.
    if (to - from >= 2 && bytes(from) == '_' && bytes(from + 1) == ':') return false
    var i = from
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
    while (i < to && bytes(i) >= 0 && isPlainInName(bytes(i).toInt)) i += 1
    i == to
  }

  /** Where the name of an IRI begins, split as the reference does: after the first `#` behind the
    * scheme, else after the last `/`, else there is no prefix.
    */
  def nameStart(bytes: Array[Byte], from: Int, to: Int): Int = {
    var units = 0
    var slash = from - 1
    var i = from
    while (i < to) {
      val b = bytes(i)
      if (b == '#' && units >= FragmentFrom) return i + 1
      if (b == '/') slash = i
      units += unitsOf(b)
      i += 1
    }
    slash + 1
  }

  /** The UTF-16 units of the character that begins with a byte; none where none begins. */
  private def unitsOf(b: Byte): Int =
    if (b >= 0) 1 else if ((b & 0xc0) == 0x80) 0 else if ((b & 0xf8) == 0xf0) 2 else 1
}
