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

  /** Whether UCHAR may stand for a code point. */
  def isCharacter(code: Long): Boolean =
    code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
}
