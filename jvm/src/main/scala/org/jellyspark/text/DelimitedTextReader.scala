package org.jellyspark.text

import java.nio.charset.StandardCharsets.ISO_8859_1

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.MalformedRowException.noUtf8
import org.jellyspark.core.terms.NTriplesChars

/** Reads the text between `<` and `>` or between quotes: IRIs, blank node labels and lexical forms.
  *
  * It first finds the end of the text with a [[ByteClassScanner]], then checks and decodes the
  * text. For malformed text, the [[org.jellyspark.core.errors.MalformedRowException]] reports the
  * leftmost fault.
  *
  * @param in
  *   the input, positioned inside a row
  */
private[jellyspark] final class DelimitedTextReader(in: TextInput) {
  import DelimitedTextReader._

  private[this] val unescaper = new Unescaper(in)
  // Whether the last text contained only ASCII, and whether it contained escapes.
  private[this] var isAscii = true
  private[this] var isEscaped = false

  /** Whether to decode texts. If false, they are only checked, and null is returned for them. */
  var isMade = true

  /** Whether a quoted string begins at the current position. */
  def isString: Boolean = in.peek == '"' || in.peek == '\''

  /** Moves from a `<` past the next `>`. Call [[inBrackets]] afterwards for the text between them.
    */
  def skipBrackets(): Unit = {
    begin()
    in.pos += 1
    val start = in.place
    var isOpen = true
    while (isOpen) {
      skip(IriScanner)
      in.peek match {
        case '>'  => isOpen = false
        case '\\' => isEscaped = true
        case c    =>
          if (IriScanner.isStop(c)) {
            failIn(start, isLiteral = false, AnyIriCharacter)
          }
      }
      in.pos += 1
    }
  }

  /** Like [[skipBrackets]], but allows only the characters that N-Triples allows in an IRI. */
  def skipStrictIri(): Unit = {
    begin()
    in.pos += 1
    val start = in.place
    var c = in.peek
    while (c != '>') {
      if (c == '\\') isEscaped = true
      else if (c >= 0x80) isAscii = false
      else if (c < 0 || !NTriplesChars.isIriChar(c.toChar)) {
        failIn(start, isLiteral = false, AnyIriCharacter)
      }
      in.pos += 1
      c = in.peek
    }
    in.pos += 1
  }

  /** Returns the text between the brackets that [[skipBrackets]] just moved past.
    *
    * @param start
    *   the place of the `<` in the row
    * @param dropped
    *   the number of bytes to leave out at the beginning of the text
    */
  def inBrackets(start: Int, dropped: Int): String =
    text(in.index(start) + 1 + dropped, in.pos - 1, isLiteral = false)

  /** Reads a string in any of Turtle's four kinds of quotes. */
  def string(): String = {
    val quote = in.peek
    string(quote, isLong = in.peek(1) == quote && in.peek(2) == quote)
  }

  /** Reads a string in double quotes that ends on the same line. */
  def shortString(): String = string('"', isLong = false)

  private def string(quote: Int, isLong: Boolean): String = {
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
    val scanner = if (quote == '"') DoubleQuotedScanner else SingleQuotedScanner
    var isOpen = true
    while (isOpen) {
      skip(scanner)
      in.peek match {
        case '\\'            => skipEscape(quote)
        case c if c == quote => isOpen = false
        case c               =>
          if (scanner.isStop(c)) failIn(start, isLiteral = true, s"$Unquoted'${quote.toChar}'")
          in.pos += 1
      }
    }
  }

  private def skipLong(quote: Int): Unit = {
    val start = in.place
    val scanner = if (quote == '"') LongDoubleQuotedScanner else LongSingleQuotedScanner
    var isOpen = true
    while (isOpen) {
      skip(scanner)
      in.peek match {
        case '\\'                                                          => skipEscape(quote)
        case c if c == quote && in.peek(1) == quote && in.peek(2) == quote => isOpen = false
        case TextInput.End                                                 =>
          failIn(start, isLiteral = true, s"$Unquoted'${quote.toChar.toString * 3}'")
        case c =>
          if (c == '\n') in.line += 1
          in.pos += 1
      }
    }
  }

  /** Moves past a backslash and, if it escapes a quote or a backslash, past that character too. */
  private def skipEscape(quote: Int): Unit = {
    isEscaped = true
    in.pos += 1
    if (in.peek == quote || in.peek == '\\') in.pos += 1
  }

  private def begin(): Unit = {
    isAscii = true
    isEscaped = false
  }

  /** Moves to the scanner's next stop byte, a NUL, or the end of the input. */
  private def skip(scanner: ByteClassScanner): Unit =
    do if (in.skip(scanner)) isAscii = false
    while (in.pos == in.limit && in.more())

  private def text(from: Int, to: Int, isLiteral: Boolean): String =
    if (isEscaped) unescaper.unescape(from, to, isLiteral)
    else if (!isMade) {
      if (!isAscii && !Utf8.isValid(in.buffer, from, to))
        noUtf8(Utf8.describeInvalid(in.buffer, from, to))
      null
    } else if (isAscii) new String(in.buffer, from, to - from, ISO_8859_1)
    else {
      val decoded = Utf8.decode(in.buffer, from, to)
      if (decoded == null) noUtf8(Utf8.describeInvalid(in.buffer, from, to))
      decoded
    }

  /** Throws an error about the first fault between `start` and the current position, or about the
    * character at the current position if there is none.
    */
  private def failIn(start: Int, isLiteral: Boolean, expected: String): Nothing = {
    text(in.index(start), in.pos, isLiteral)
    in.failChar(expected)
  }
}

private object DelimitedTextReader {
  private val AnyIriCharacter = "a character that an IRI may hold, or '>'"
  private val Unquoted = "a character that a literal may hold, or "

  private val IriScanner = new ByteClassScanner(" \t\r\n<>\\")
  private val DoubleQuotedScanner = new ByteClassScanner("\"\\\r\n")
  private val SingleQuotedScanner = new ByteClassScanner("'\\\r\n")
  private val LongDoubleQuotedScanner = new ByteClassScanner("\"\\\n")
  private val LongSingleQuotedScanner = new ByteClassScanner("'\\\n")
}
