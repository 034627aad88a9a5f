package org.jellyspark.core.bytes

/** IRIs by eight bytes. */
private[jellyspark] object IriWords {

  /** Has the highest bit of a byte set where the word has a byte that may not stand in an IRI as it
    * is, or a `~`, or there is a lower such byte.
    */
  def doubtful(word: Long): Long = Words.beyondAscii(
    ((word - UpToBlank) | ((word ^ Quotes) - Ones) | ((word ^ Backquotes) - Ones) |
      // `<`, `>`, `\`, `^`, `|`, `~` differ in these bits only.
      (((word | Bracketlike) ^ Tildes) - Ones) |
      // `{`, `|`, `}`, and what else is from there on.
      ((word & LowBits) + FromBrace)) & ~word
  )

  private val Ones = Words.of(1)
  private val LowBits = Words.of(0x7f)
  private val UpToBlank = Words.of(' ' + 1)
  private val Quotes = Words.of('"')
  private val Backquotes = Words.of('`')
  private val Tildes = Words.of('~')
  private val Bracketlike = Words.of(0x62)
  private val FromBrace = Words.of(0x80 - '{')
}
