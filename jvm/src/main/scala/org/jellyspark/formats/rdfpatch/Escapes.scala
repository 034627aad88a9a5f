package org.jellyspark.formats.rdfpatch

/** How characters are written that cannot stand as they are.
  *
  * @param escapes
  *   what stands for characters of ASCII
  * @param replacement
  *   what stands for U+FFFD; null if it stands for itself
  */
private[rdfpatch] final class Escapes private (
    escapes: Map[Char, String],
    replacement: String = null
) {
  private[this] val ascii = Array.tabulate(128)(c => escapes.getOrElse(c.toChar, null))
  private[this] val plain = Array.tabulate(256) { b =>
    if (b < 0x80) ascii(b) == null && b != '?' else b != 0xef || replacement == null
  }

  /** The first byte from `from` on that may stand for more than itself; or the end. A question mark
    * is one of them: it is also what stands for text that is none.
    */
  def endOfPlain(utf8: Array[Byte], from: Int): Int = {
    var i = from
    while (i < utf8.length && plain(utf8(i) & 0xff)) i += 1
    i
  }

  /** What is written for a character; null if it stands as it is. */
  def of(c: Int): String = if (c < 128) ascii(c) else if (c == 0xfffd) replacement else null
}

private[rdfpatch] object Escapes {

  /** Of what holds no character that needs one. */
  val NoEscapes = new Escapes(Map.empty)

  /** Strings as Jena's writer escapes them. */
  val Strings = new Escapes(
    Map('\\' -> "\\\\", '"' -> "\\\"", '\n' -> "\\n", '\r' -> "\\r", '\t' -> "\\t", '\f' -> "\\f"),
    replacement = unicode(0xfffd)
  )

  private val notInIris = " <>\"{}|^`\\\u007f"

  /** IRIs as Jena's writer escapes them; its reader takes the other control characters as they are.
    */
  val JenaIris: Escapes = ofUnicode((0 until 20).map(_.toChar) ++ notInIris)

  /** IRIs with all escapes that the grammar asks for. */
  val Iris: Escapes = ofUnicode(('\u0000' until ' ') ++ notInIris)

  /** Blank node labels, where Jena's writer escapes nothing: what its reader does not take so. */
  val JenaLabels: Escapes = ofUnicode("\t\n\r <>\\")

  private def ofUnicode(characters: Seq[Char]): Escapes =
    new Escapes(characters.map(c => c -> unicode(c.toInt)).toMap)

  private def unicode(c: Int): String = f"\\u$c%04X"
}
