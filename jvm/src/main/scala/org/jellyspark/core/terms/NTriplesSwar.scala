package org.jellyspark.core.terms

import org.jellyspark.core.bytes.Swar

/** Finds the ASCII characters that canonical N-Triples escapes, eight bytes at a time. Both tests
  * return marks as defined by [[Swar]].
  */
private[jellyspark] object NTriplesSwar {

  /** Marks the characters that literals escape: `"`, `\`, line feed and carriage return. */
  def literalNeedsEscape(word: Long): Long =
    Swar.equal(word, Quote) | Swar.equal(word, Backslash) | Swar.equal(word, LineFeed) |
      Swar.equal(word, CarriageReturn)

  /** Marks the characters that IRIs escape (N-Triples, IRIREF), and also `~` and DEL.
    *
    * The last two need no escape, but excluding them would take more operations. So if there are no
    * marks, nothing needs an escape; otherwise, the caller must check the marked bytes.
    */
  def iriNeedsEscape(word: Long): Long = Swar.nonAscii(
    ((word - AboveBlank) | ((word ^ Quote) - Ones) | ((word ^ Backquote) - Ones) |
      // `<`, `>`, `\`, `^`, `|` and `~` differ from each other only in the bits of 0x62.
      (((word | DifferingBits) ^ Tilde) - Ones) |
      // From `{` on, the sum sets the highest bit: `{`, `|`, `}`, `~` and DEL.
      ((word & LowBits) + FromBrace)) & ~word
  )

  private val Quote = Swar.broadcast('"')
  private val Backslash = Swar.broadcast('\\')
  private val LineFeed = Swar.broadcast('\n')
  private val CarriageReturn = Swar.broadcast('\r')

  private val Ones = Swar.broadcast(1)
  private val LowBits = Swar.broadcast(0x7f)
  private val AboveBlank = Swar.broadcast(' ' + 1)
  private val Backquote = Swar.broadcast('`')
  private val Tilde = Swar.broadcast('~')
  private val DifferingBits = Swar.broadcast(0x62)
  private val FromBrace = Swar.broadcast(0x80 - '{')
}
