package org.jellyspark.text

import java.nio.charset.StandardCharsets.UTF_8

/** A table of the characters to escape and their escape sequences. */
private[jellyspark] final class Escapes private (escapes: Map[Char, String]) {
  private[this] val ascii = Array.tabulate(128)(c => escapes.getOrElse(c.toChar, null))
  // The first bytes of the other characters.
  private[this] val leads =
    escapes.keySet.filter(_ >= 128).map(c => c.toString.getBytes(UTF_8)(0) & 0xff)
  private[this] val plain =
    Array.tabulate(256)(b => if (b < 0x80) ascii(b) == null && b != '?' else !leads(b))

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
  def of(c: Int): String =
    if (c < 128) ascii(c) else if (c > Char.MaxValue) null else escapes.getOrElse(c.toChar, null)
}

private[jellyspark] object Escapes {

  /** No escapes, for text in which no character needs one. */
  val NoEscapes = new Escapes(Map.empty)

  // The escapes that strings have in both forms below.
  private val common = Map(
    '\\' -> "\\\\",
    '"' -> "\\\"",
    '\n' -> "\\n",
    '\r' -> "\\r",
    '\t' -> "\\t",
    '\f' -> "\\f"
  )

  /** The escapes that Jena's writer uses in strings. */
  val Strings = new Escapes(common + ('\ufffd' -> unicode(0xfffd)))

  /** The escapes of RDF 1.2's canonical N-Triples in literals. */
  val Canonical = new Escapes(
    unicodeOf(('\u0000' until ' ') ++ "\u007f\ufffe\uffff") ++ common + ('\b' -> "\\b")
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
    new Escapes(unicodeOf(characters))

  private def unicodeOf(characters: Seq[Char]): Map[Char, String] =
    characters.map(c => c -> unicode(c.toInt)).toMap

  private def unicode(c: Int): String = f"\\u$c%04X"
}
