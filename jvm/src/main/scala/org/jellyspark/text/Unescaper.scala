package org.jellyspark.text

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.MalformedRowException.noUtf8
import org.jellyspark.core.terms.EscapeSequences

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
