package org.jellyspark.text

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.MalformedRowException.noUtf8

/** Decodes text with escape sequences: N-Triples' ECHAR (in literals only) and UCHAR. */
private[jellyspark] final class Unescaper(in: TextInput) {
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
    val unescaped = if (isLiteral) Unescaper.simple(c) else Unescaper.NoCharacter
    if (unescaped != Unescaper.NoCharacter) {
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
    var code = 0L
    var i = at + 2
    while (i < at + 2 + digits) {
      val digit = if (i < to) Character.digit(in.buffer(i).toInt, 16) else -1
      if (digit < 0) fail(at, s"$digits hexadecimal digits")
      code = code * 16 + digit
      i += 1
    }
    if (!Unescaper.isCharacter(code)) fail(at, "an escape of a Unicode character")
    put(code.toInt)
    i
  }

  private def put(c: Int): Unit = size += Utf8.encode(c, out, size)

  private def fail(at: Int, expected: String): Nothing = {
    in.pos = at
    in.failChar(expected)
  }
}

private[text] object Unescaper {

  // Returned instead of a character if there is none.
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

  /** Whether UCHAR may stand for a code point. */
  def isCharacter(code: Long): Boolean = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
}
