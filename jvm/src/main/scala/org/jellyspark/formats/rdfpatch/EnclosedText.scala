package org.jellyspark.formats.rdfpatch

import java.nio.charset.StandardCharsets.ISO_8859_1

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.MalformedRowException.noUtf8

/** Reads what stands in `<>` and in quotes: the texts of IRIs, labels and literals.
  *
  * What is wrong is raised as a [[org.jellyspark.core.MalformedRowException]], the leftmost first.
  *
  * @param in
  *   the text, in a row
  */
private[rdfpatch] final class EnclosedText(in: TextInput) {
  import EnclosedText._

  private[this] val unescaper = new Unescaper(in)
  // Whether the last one holds bytes that are not ASCII, and escapes.
  private[this] var isAscii = true
  private[this] var isEscaped = false

  /** Whether to make the texts that are read; else they are checked alone, and null. */
  var isMade = true

  /** Whether a string begins here. */
  def isString: Boolean = in.peek == '"' || in.peek == '\''

  /** Moves over `<>` and what stands in it, which [[inBrackets]] then reads. */
  def skipBrackets(): Unit = {
    begin()
    in.pos += 1
    val start = in.place
    var isOpen = true
    while (isOpen) {
      skip(IriRun)
      in.peek match {
        case '>'  => isOpen = false
        case '\\' => isEscaped = true
        case c    =>
          if (IriRun.isStop(c)) {
            failIn(start, isLiteral = false, "a character that an IRI may hold, or '>'")
          }
      }
      in.pos += 1
    }
  }

  /** The text in the brackets that were just moved over, without its first `dropped` bytes.
    *
    * @param start
    *   the place where they begin
    */
  def inBrackets(start: Int, dropped: Int): String =
    text(in.index(start) + 1 + dropped, in.pos - 1, isLiteral = false)

  /** A string, in whichever of Turtle's quotes. */
  def string(): String = {
    val quote = in.peek
    val isLong = in.peek(1) == quote && in.peek(2) == quote
    val quotes = if (isLong) 3 else 1
    begin()
    in.pos += quotes
    val start = in.place
    if (isLong) skipLong(quote) else skipShort(quote)
    val read = text(in.index(start), in.pos, isLiteral = true)
    in.pos += quotes
    read
  }

  private def skipShort(quote: Int): Unit = {
    val start = in.place
    val run = if (quote == '"') DoubleRun else SingleRun
    var isOpen = true
    while (isOpen) {
      skip(run)
      in.peek match {
        case '\\'            => skipEscape(quote)
        case c if c == quote => isOpen = false
        case c               =>
          if (run.isStop(c)) failIn(start, isLiteral = true, s"$Unquoted'${quote.toChar}'")
          in.pos += 1
      }
    }
  }

  private def skipLong(quote: Int): Unit = {
    val start = in.place
    val run = if (quote == '"') LongDoubleRun else LongSingleRun
    var isOpen = true
    while (isOpen) {
      skip(run)
      in.peek match {
        case '\\'                                                          => skipEscape(quote)
        case c if c == quote && in.peek(1) == quote && in.peek(2) == quote => isOpen = false
        case -1 => failIn(start, isLiteral = true, s"$Unquoted'${quote.toChar.toString * 3}'")
        case c  =>
          if (c == '\n') in.line += 1
          in.pos += 1
      }
    }
  }

  /** Moves over as much as matters of an escape: a quote that is escaped ends nothing. */
  private def skipEscape(quote: Int): Unit = {
    isEscaped = true
    in.pos += 1
    if (in.peek == quote || in.peek == '\\') in.pos += 1
  }

  private def begin(): Unit = {
    isAscii = true
    isEscaped = false
  }

  /** Moves over a run, to its end, a zero, or where what was held ended. */
  private def skip(run: Run): Unit =
    do if (in.skip(run)) isAscii = false
    while (in.pos == in.limit && in.more())

  private def text(from: Int, to: Int, isLiteral: Boolean): String =
    if (isEscaped) unescaper.unescape(from, to, isLiteral)
    else if (!isMade) {
      if (!isAscii && !Utf8.isValid(in.buffer, from, to)) noUtf8()
      null
    } else if (isAscii) new String(in.buffer, from, to - from, ISO_8859_1)
    else {
      val decoded = Utf8.decode(in.buffer, from, to)
      if (decoded == null) noUtf8()
      decoded
    }

  /** Raises what is wrong with the text from `start` on, or else that `expected` is not here. */
  private def failIn(start: Int, isLiteral: Boolean, expected: String): Nothing = {
    text(in.index(start), in.pos, isLiteral)
    in.failChar(expected)
  }
}

private object EnclosedText {
  private val Unquoted = "a character that a literal may hold, or "

  private val IriRun = new Run(" \t\r\n<>\\")
  private val DoubleRun = new Run("\"\\\r\n")
  private val SingleRun = new Run("'\\\r\n")
  private val LongDoubleRun = new Run("\"\\\n")
  private val LongSingleRun = new Run("'\\\n")
}
