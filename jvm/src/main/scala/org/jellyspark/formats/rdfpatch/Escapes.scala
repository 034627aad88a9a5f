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
  private[this] val plain = ascii.map(_ == null)

  /** Whether a character is ASCII and stands as it is. */
  def isPlain(c: Char): Boolean = c < 128 && plain(c.toInt)

  /** What is written for a character; null if it stands as it is. */
  def of(c: Int): String = if (c < 128) ascii(c) else if (c == 0xfffd) replacement else null
}

private[rdfpatch] object Escapes {

  /** The longest of all, and no character is longer. */
  final val MaxLength = 6

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
