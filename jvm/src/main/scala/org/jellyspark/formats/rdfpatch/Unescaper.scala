package org.jellyspark.formats.rdfpatch

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.MalformedRowException.noUtf8

/** Takes the escapes out of a part of the text: N-Triples' ECHAR (in literals) and UCHAR. */
private[rdfpatch] final class Unescaper(in: TextInput) {
  private[this] var out = new Array[Byte](256)
  private[this] var size = 0

  /** The text of the buffer's bytes from `from` to before `to`.
    *
    * @throws org.jellyspark.core.MalformedRowException
    *   if an escape is none, or a byte no UTF-8
    */
  def unescape(from: Int, to: Int, isLiteral: Boolean): String = {
    // Nothing grows, and no escape is shorter than its character.
    if (out.length < to - from) out = Arrays.copyOf(out, math.max(to - from, out.length * 2))
    size = 0
    var i = from
    while (i < to) {
      if (in.buffer(i) == '\\') i = escape(i, to, isLiteral)
      else {
        val end = endOfPlain(i, to)
        if (!Utf8.isValid(in.buffer, i, end)) noUtf8()
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
    val c = if (at + 1 < to) in.buffer(at + 1).toInt else -1
    val unescaped = if (isLiteral) Unescaper.simple(c) else -1
    if (unescaped >= 0) {
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
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      fail(at, "an escape of a Unicode character")
    }
    put(code.toInt)
    i
  }

  private def put(c: Int): Unit = size += Utf8.encode(c, out, size)

  private def fail(at: Int, expected: String): Nothing = {
    in.pos = at
    in.failChar(expected)
  }
}

private object Unescaper {

  /** The character that ECHAR has for one behind a backslash; -1 if it has none. */
  private def simple(c: Int): Int = c match {
    case 't'               => '\t'
    case 'b'               => '\b'
    case 'n'               => '\n'
    case 'r'               => '\r'
    case 'f'               => '\f'
    case '"' | '\'' | '\\' => c
    case _                 => -1
  }
}
