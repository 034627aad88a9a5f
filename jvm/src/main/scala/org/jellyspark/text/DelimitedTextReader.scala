package org.jellyspark.text

import java.nio.charset.StandardCharsets.{ISO_8859_1, UTF_8}
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.MalformedRowException.noUtf8
import org.jellyspark.core.terms.{EscapeSequences, NTriplesChars}

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
    string(quote, isLong = isLongEnd(quote))
  }

  /** Reads a string in double quotes that ends on the same line. */
  def shortString(): String = string('"', isLong = false)

  private def string(quote: Int, isLong: Boolean): String = {
    val quotes = if (isLong) 3 else 1
    begin()
    in.pos += quotes
    val start = in.place
    skipString(quote, isLong)
    val read = text(in.index(start), in.pos, isLiteral = true)
    in.pos += quotes
    read
  }

  private def skipString(quote: Int, isLong: Boolean): Unit = {
    val start = in.place
    val scanner =
      if (quote == '"') { if (isLong) LongDoubleQuotedScanner else DoubleQuotedScanner }
      else if (isLong) LongSingleQuotedScanner
      else SingleQuotedScanner
    var isOpen = true
    while (isOpen) {
      skip(scanner)
      in.peek match {
        case '\\'                                             => skipEscape(quote)
        case c if c == quote && (!isLong || isLongEnd(quote)) => isOpen = false
        case c                                                =>
          if (c == TextInput.End || (!isLong && scanner.isStop(c))) {
            val end = quote.toChar.toString * (if (isLong) 3 else 1)
            failIn(start, isLiteral = true, s"a character that a literal may hold, or '$end'")
          }
          if (c == '\n') in.line += 1
          in.pos += 1
      }
    }
  }

  private def isLongEnd(quote: Int): Boolean = in.peek(1) == quote && in.peek(2) == quote

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

  private val IriScanner = new ByteClassScanner(" \t\r\n<>\\")
  private val DoubleQuotedScanner = new ByteClassScanner("\"\\\r\n")
  private val SingleQuotedScanner = new ByteClassScanner("'\\\r\n")
  private val LongDoubleQuotedScanner = new ByteClassScanner("\"\\\n")
  private val LongSingleQuotedScanner = new ByteClassScanner("'\\\n")
}

/** Decodes text with escape sequences: N-Triples' ECHAR (in literals only) and UCHAR. */
private final class Unescaper(in: TextInput) {
  private[this] var out = new Array[Byte](256)
  private[this] var size = 0

  /** Decodes the bytes `[from, to)` of the input's buffer.
    *
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if an escape sequence is not valid, or the bytes are not UTF-8
    */
  def unescape(from: Int, to: Int, isLiteral: Boolean): String = {
    // The decoded text never has more bytes, as no escape sequence is shorter than its character in
    // UTF-8.
    if (out.length < to - from) out = Arrays.copyOf(out, math.max(to - from, out.length * 2))
    size = 0
    var i = from
    while (i < to) {
      if (in.buffer(i) == '\\') i = escape(i, to, isLiteral)
      else {
        val end = endOfPlain(i, to)
        if (!Utf8.isValid(in.buffer, i, end)) noUtf8(Utf8.describeInvalid(in.buffer, i, end))
        System.arraycopy(in.buffer, i, out, size, end - i)
        size += end - i
        i = end
      }
    }
    new String(out, 0, size, UTF_8)
  }

  private def endOfPlain(from: Int, to: Int): Int = {
    var i = from
    while (i < to && in.buffer(i) != '\\') i += 1
    i
  }

  private def escape(at: Int, to: Int, isLiteral: Boolean): Int = {
    val c = if (at + 1 < to) in.buffer(at + 1).toInt else TextInput.End
    val unescaped = if (isLiteral) EscapeSequences.simple(c) else EscapeSequences.NoCharacter
    if (unescaped != EscapeSequences.NoCharacter) {
      put(unescaped)
      at + 2
    } else
      c match {
        case 'u' => unicode(at, to, 4)
        case 'U' => unicode(at, to, 8)
        case _   => fail(at, "an escape sequence")
      }
  }

  private def unicode(at: Int, to: Int, digits: Int): Int = {
    val from = at + 2
    val end = from + digits
    val code =
      if (end <= to) EscapeSequences.hexadecimal(in.buffer, from, end)
      else EscapeSequences.NoCharacter.toLong
    if (code < 0) fail(at, s"$digits hexadecimal digits")
    if (!EscapeSequences.isCharacter(code)) fail(at, "an escape of a Unicode character")
    put(code.toInt)
    end
  }

  private def put(c: Int): Unit = size += Utf8.encode(c, out, size)

  private def fail(at: Int, expected: String): Nothing = {
    in.pos = at
    in.failChar(expected)
  }
}
