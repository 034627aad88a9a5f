package org.jellyspark.core.bytes

import java.lang.invoke.MethodHandles
import java.nio.ByteOrder

/** SWAR (SIMD within a register): processes eight bytes of an array at once, as one `Long`, the
  * ''word''. The first byte of the array is the lowest byte of the word.
  *
  * A test such as [[equal]] returns ''marks'': a word in which the highest bit of a byte is set if
  * the byte passes the test. The tests subtract from all eight bytes at once, and a byte that
  * passes may borrow from the byte above it. Marks therefore guarantee only this:
  *
  *   - marks are 0 if and only if no byte passes;
  *   - the lowest mark is at the first byte that passes, which [[firstMarked]] finds.
  *
  * Marks above the lowest one may be false positives. Marks of several tests can be combined with
  * `|`. The guarantee then holds for bytes that pass any of the tests.
  *
  * Example: `equal(word, broadcast('"'))` for the bytes `a"b"cdef` marks bytes 1 and 3.
  */
private[jellyspark] object Swar {
  private val view =
    MethodHandles.byteArrayViewVarHandle(classOf[Array[Long]], ByteOrder.LITTLE_ENDIAN)

  /** The number of bytes in a word. */
  final val Size = 8

  /** Loads the eight bytes at `at`, all of which must be in the array. */
  def load(bytes: Array[Byte], at: Int): Long = (view.get(bytes, at): Long)

  /** Stores the eight bytes of a word at `at`. */
  def store(word: Long, bytes: Array[Byte], at: Int): Unit = view.set(bytes, at, word)

  /** Copies `bytes[from, to)`. Copies whole words, so both arrays must have room for up to seven
    * more bytes, and those in `out` are overwritten.
    */
  def copy(bytes: Array[Byte], from: Int, to: Int, out: Array[Byte], at: Int): Unit = {
    var i = from
    while (i < to) {
      store(load(bytes, i), out, at + i - from)
      i += Size
    }
  }

  /** The first `count` bytes of a word, 0 to 7, followed by zeros. */
  def keepFirst(word: Long, count: Int): Long = word & (1L << (count << 3)) - 1

  /** Loads `bytes[at, end)`, at most eight bytes, followed by zeros. Never reads past the end of
    * the array.
    */
  def loadUpTo(bytes: Array[Byte], at: Int, end: Int): Long =
    if (at + Size <= bytes.length) {
      val count = end - at
      if (count >= Size) load(bytes, at) else keepFirst(load(bytes, at), count)
    } else {
      var word = 0L
      var i = end - 1
      while (i >= at) {
        word = word << 8 | bytes(i) & 0xff
        i -= 1
      }
      word
    }

  /** A word that repeats the same byte eight times. */
  def broadcast(b: Int): Long = b * Ones

  /** Marks the bytes below a limit.
    *
    * @param limit
    *   the limit, 1 to 0x80, converted with [[broadcast]]
    */
  def below(word: Long, limit: Long): Long = (word - limit) & ~word & Highest

  /** Marks the bytes that are equal to a byte.
    *
    * @param byte
    *   the byte, converted with [[broadcast]]
    */
  def equal(word: Long, byte: Long): Long = below(word ^ byte, Ones)

  /** Marks the non-ASCII bytes, without false positives. */
  def nonAscii(word: Long): Long = word & Highest

  /** The index in the word, 0 to 7, of the first marked byte; 8 if there are no marks. */
  def firstMarked(marks: Long): Int = java.lang.Long.numberOfTrailingZeros(marks) >> 3

  private final val Ones = 0x0101010101010101L
  private final val Highest = 0x8080808080808080L
}
