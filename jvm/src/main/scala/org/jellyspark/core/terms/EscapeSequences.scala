package org.jellyspark.core.terms

/** The escape sequences of N-Triples' grammar: ECHAR, which only literals may contain, and UCHAR.
  */
private[jellyspark] object EscapeSequences {

  /** Returned instead of a character if there is none. */
  final val NoCharacter = -1

  /** The character that ECHAR with the letter `c` stands for, or [[NoCharacter]]. */
  def simple(c: Int): Int = c match {
    case 't'               => '\t'
    case 'b'               => '\b'
    case 'n'               => '\n'
    case 'r'               => '\r'
    case 'f'               => '\f'
    case '"' | '\'' | '\\' => c
    case _                 => NoCharacter
  }

  /** The number that the hexadecimal digits `bytes[from, to)` stand for, at most eight of them;
    * [[NoCharacter]] if not all are digits.
    */
  def hexadecimal(bytes: Array[Byte], from: Int, to: Int): Long = {
    var code = 0L
    var i = from
    while (i < to) {
      val digit = Character.digit(bytes(i).toInt, 16)
      if (digit < 0) return NoCharacter.toLong
      code = code << 4 | digit
      i += 1
    }
    code
  }

  /** The length in bytes of the escape sequence that begins at `at`, if it is well-formed. */
  def lengthAt(bytes: Array[Byte], at: Int): Int = bytes(at + 1) match {
    case 'u' => 6
    case 'U' => 10
    case _   => 2
  }

  /** The code point that the escape sequence at `at` stands for; negative if the sequence is
    * malformed.
    */
  def codePointAt(bytes: Array[Byte], at: Int): Int = bytes(at + 1) match {
    case 'u' | 'U' =>
      val code = hexadecimal(bytes, at + 2, at + lengthAt(bytes, at))
      if (isCharacter(code)) code.toInt else NoCharacter
    case c => simple(c.toInt)
  }

  /** Whether UCHAR may stand for a code point. */
  def isCharacter(code: Long): Boolean =
    code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
}
