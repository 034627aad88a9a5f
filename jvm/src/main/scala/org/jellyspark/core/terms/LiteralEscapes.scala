package org.jellyspark.core.terms

import org.jellyspark.core.bytes.Swar

/** The escapes of lexical forms in canonical N-Triples: of the quote, the backslash, LF and CR. */
private[jellyspark] object LiteralEscapes {
  // Each constant repeats a byte eight times, for SWAR.
  private val Ones = Swar.broadcast(1)
  private val UpToReturn = Swar.broadcast('\r' + 1)
  private val Quotes = Swar.broadcast('"')
  private val Backslashes = Swar.broadcast('\\')

  // The letter after the backslash, indexed by the byte to escape; 0 for bytes that need no escape.
  private val letters: Array[Byte] = {
    val letters = new Array[Byte](256)
    Seq('"' -> '"', '\\' -> '\\', '\n' -> 'n', '\r' -> 'r').foreach { case (c, letter) =>
      letters(c.toInt) = letter.toByte
    }
    letters
  }

  // Up to this size, a lexical form gets room for the longest possible result, without counting.
  private final val MaxUncounted = 1 << 10

  /** The letter after the backslash for a byte; 0 if the byte needs no escape. */
  def of(b: Byte): Byte = letters(b & 0xff)

  /** Whether a letter may follow the backslash of an escape sequence. */
  def isLetter(b: Byte): Boolean = b == '"' || b == '\\' || b == 'n' || b == 'r'

  /** The byte that an escape sequence stands for, by the letter after its backslash. */
  def unescaped(letter: Byte): Byte = letter match {
    case 'n' => '\n'
    case 'r' => '\r'
    case _   => letter
  }

  /** Tests eight bytes at once. If a byte needs an escape, its highest bit is set in the result.
    *
    * There are false positives: the bit is also set for every byte from NUL to CR, and may be set
    * for bytes above a marked one, because the subtractions borrow. So if no highest bit is set, no
    * byte needs an escape; otherwise, use [[next]]. The other bits have no meaning.
    */
  def mayNeedEscape(word: Long): Long =
    ((word - UpToReturn) | ((word ^ Quotes) - Ones) | ((word ^ Backslashes) - Ones)) & ~word

  /** Returns the index of the next byte that needs an escape, or `to` if there is none. */
  def next(bytes: Array[Byte], from: Int, to: Int): Int = {
    var i = from
    while (i + Swar.Size <= to) {
      val marks = NTriplesSwar.literalNeedsEscape(Swar.load(bytes, i))
      if (marks != 0) return i + Swar.firstMarked(marks)
      i += Swar.Size
    }
    while (i < to && of(bytes(i)) == 0) i += 1
    i
  }

  /** An upper bound for the size in bytes of a lexical form with its escapes; the exact size if it
    * is long.
    */
  def maxSize(bytes: Array[Byte], from: Int, to: Int): Long =
    if (to - from <= MaxUncounted) 2L * (to - from)
    else {
      var size = 0L + to - from
      var i = next(bytes, from, to)
      while (i < to) {
        size += 1
        i = next(bytes, i + 1, to)
      }
      size
    }

  /** Writes `bytes[from, to)` with its escapes to `out` at `at`, where there must be room for it.
    *
    * @return
    *   the index after it
    */
  def put(bytes: Array[Byte], from: Int, to: Int, out: Array[Byte], at: Int): Int = {
    var end = at
    var copied = from
    var i = next(bytes, from, to)
    while (i < to) {
      System.arraycopy(bytes, copied, out, end, i - copied)
      end += i - copied
      out(end) = '\\'
      out(end + 1) = of(bytes(i))
      end += 2
      copied = i + 1
      i = next(bytes, copied, to)
    }
    System.arraycopy(bytes, copied, out, end, to - copied)
    end + to - copied
  }
}
