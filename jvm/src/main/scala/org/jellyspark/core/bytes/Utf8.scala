package org.jellyspark.core.bytes

import java.nio.charset.StandardCharsets.UTF_8

/** UTF-8 as defined by RFC 3629: without surrogates and overlong sequences. All text read from
  * files is checked here.
  */
private[jellyspark] object Utf8 {

  /** The length of the sequence that begins at `at` and must end before `end`.
    *
    * @return
    *   the length in bytes, 1 to 4; 0 if there is no valid sequence
    */
  def sequence(bytes: Array[Byte], at: Int, end: Int): Int = {
    val first = bytes(at) & 0xff
    if (first < 0x80) 1
    else if (first < 0xc2) 0
    else if (first < 0xe0) if (follow(bytes, at, end, 1)) 2 else 0
    else if (first < 0xf0) {
      val second = if (at + 1 < end) bytes(at + 1) & 0xff else 0
      val fits = if (first == 0xe0) second >= 0xa0 else first != 0xed || second < 0xa0
      if (fits && follow(bytes, at, end, 2)) 3 else 0
    } else if (first < 0xf5) {
      val second = if (at + 1 < end) bytes(at + 1) & 0xff else 0
      val fits = if (first == 0xf0) second >= 0x90 else first != 0xf4 || second < 0x90
      if (fits && follow(bytes, at, end, 3)) 4 else 0
    } else 0
  }

  /** The code point of the sequence of `length` bytes at `at`, which must be valid. */
  def character(bytes: Array[Byte], at: Int, length: Int): Int = length match {
    case 1 => bytes(at).toInt
    case 2 => (bytes(at) & 0x1f) << 6 | tail(bytes, at + 1)
    case 3 => (bytes(at) & 0xf) << 12 | tail(bytes, at + 1) << 6 | tail(bytes, at + 2)
    case _ =>
      (bytes(at) & 7) << 18 | tail(bytes, at + 1) << 12 | tail(bytes, at + 2) << 6 |
        tail(bytes, at + 3)
  }

  /** The number of bytes of a code point in UTF-8. */
  def length(c: Int): Int = if (c < 0x80) 1 else if (c < 0x800) 2 else if (c < 0x10000) 3 else 4

  /** Writes a code point at `at`.
    *
    * @return
    *   the number of bytes written
    */
  def encode(c: Int, out: Array[Byte], at: Int): Int = {
    val count = length(c)
    if (count == 1) out(at) = c.toByte
    else {
      var rest = c
      var i = count - 1
      while (i > 0) {
        out(at + i) = (0x80 | (rest & 0x3f)).toByte
        rest >>= 6
        i -= 1
      }
      out(at) = (0xf00 >> count | rest).toByte
    }
    count
  }

  /** Whether `bytes[from, to)` is valid UTF-8. Skips ASCII eight bytes at a time. */
  def isValid(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i + Swar.Size <= to && Swar.nonAscii(Swar.load(bytes, i)) == 0) i += Swar.Size
    Swar.nonAscii(Swar.loadUpTo(bytes, i, to)) == 0 || firstInvalid(bytes, i, to) == to
  }

  /** Describes text that is not valid UTF-8 for an error message. Shows the byte at which the first
    * invalid sequence begins.
    */
  def describeInvalid(bytes: Array[Byte], from: Int, to: Int): String =
    f"$Invalid (byte 0x${bytes(firstInvalid(bytes, from, to))}%02X)"

  /** The description of text that is not valid UTF-8, for callers that do not have its bytes. */
  val Invalid: String = "invalid UTF-8"

  /** The index of the first invalid sequence; `to` if there is none. */
  def firstInvalid(bytes: Array[Byte], from: Int, to: Int): Int = {
    var i = from
    while (i < to) {
      if (bytes(i) >= 0) i += 1
      else {
        val length = sequence(bytes, i, to)
        if (length == 0) return i
        i += length
      }
    }
    to
  }

  /** Decodes `bytes[from, to)`; null if they are not valid UTF-8. */
  def decode(bytes: Array[Byte], from: Int, to: Int): String = {
    val text = new String(bytes, from, to - from, UTF_8)
    // Java's decoder replaces invalid sequences with U+FFFD, but the bytes may also contain that
    // character.
    if (text.indexOf('\ufffd') < 0 || isValid(bytes, from, to)) text else null
  }

  private def follow(bytes: Array[Byte], at: Int, end: Int, count: Int): Boolean = {
    var i = 1
    while (i <= count) {
      if (at + i >= end || (bytes(at + i) & 0xc0) != 0x80) return false
      i += 1
    }
    true
  }

  private def tail(bytes: Array[Byte], at: Int): Int = bytes(at) & 0x3f
}
