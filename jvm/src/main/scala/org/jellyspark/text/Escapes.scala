package org.jellyspark.text

/** A table of the characters to escape and their escape sequences.
  *
  * @param escapes
  *   the escape sequences of ASCII characters
  * @param replacement
  *   the escape sequence of U+FFFD; null if it is not escaped
  */
private[jellyspark] final class Escapes private (
    escapes: Map[Char, String],
    replacement: String = null
) {
  private[this] val ascii = Array.tabulate(128)(c => escapes.getOrElse(c.toChar, null))
  private[this] val plain = Array.tabulate(256) { b =>
    if (b < 0x80) ascii(b) == null && b != '?' else b != 0xef || replacement == null
  }

  /** Returns the index of the first byte at or after `from` that may need an escape or a check, or
    * the length of `utf8`. A question mark needs a check, because Java's encoder replaces lone
    * surrogates with it.
    */
  def endOfPlain(utf8: Array[Byte], from: Int): Int = {
    var i = from
    while (i < utf8.length && plain(utf8(i) & 0xff)) i += 1
    i
  }

  /** The escape sequence of a character; null if it is not escaped. */
  def of(c: Int): String = if (c < 128) ascii(c) else if (c == 0xfffd) replacement else null
}

private[jellyspark] object Escapes {

  /** No escapes, for text in which no character needs one. */
  val NoEscapes = new Escapes(Map.empty)

  /** The escapes that Jena's writer uses in strings. */
  val Strings = new Escapes(
    Map('\\' -> "\\\\", '"' -> "\\\"", '\n' -> "\\n", '\r' -> "\\r", '\t' -> "\\t", '\f' -> "\\f"),
    replacement = unicode(0xfffd)
  )

  private val notInIris = " <>\"{}|^`\\\u007f"

  /** The escapes that Jena's writer uses in IRIs. Jena's reader accepts the other control
    * characters unescaped.
    */
  val JenaIris: Escapes = ofUnicode((0 until 20).map(_.toChar) ++ notInIris)

  /** All escapes that Turtle's grammar requires in IRIs. */
  val Iris: Escapes = ofUnicode(('\u0000' until ' ') ++ notInIris)

  /** The characters that Jena's reader does not accept unescaped in blank node labels. Jena's
    * writer escapes nothing there.
    */
  val JenaLabels: Escapes = ofUnicode("\t\n\r <>\\")

  private def ofUnicode(characters: Seq[Char]): Escapes =
    new Escapes(characters.map(c => c -> unicode(c.toInt)).toMap)

  private def unicode(c: Int): String = f"\\u$c%04X"
}
