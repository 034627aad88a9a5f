package org.jellyspark.core.bytes

import java.lang.invoke.MethodHandles
import java.nio.ByteOrder

/** Eight bytes at a time, as a number whose lowest byte is the first. */
private[jellyspark] object Words {
  private val view =
    MethodHandles.byteArrayViewVarHandle(classOf[Array[Long]], ByteOrder.LITTLE_ENDIAN)

  /** The number of bytes. */
  final val Size = 8

  /** The eight bytes from `at` on. */
  def at(bytes: Array[Byte], at: Int): Long = (view.get(bytes, at): Long)

  /** Puts the eight bytes at `at`. */
  def put(word: Long, bytes: Array[Byte], at: Int): Unit = view.set(bytes, at, word)

  /** Copies the bytes from `from` to before `to`, and up to seven more, which both arrays must
    * have.
    */
  def copy(bytes: Array[Byte], from: Int, to: Int, out: Array[Byte], at: Int): Unit = {
    var i = from
    while (i < to) {
      put(Words.at(bytes, i), out, at + i - from)
      i += Size
    }
  }

  /** The first bytes, less than eight of them, and zeros. */
  def start(word: Long, count: Int): Long = word & (1L << (count << 3)) - 1

  /** The bytes from `at` to before `end`, of which there are at most eight left, and zeros. */
  def upTo(bytes: Array[Byte], at: Int, end: Int): Long =
    if (at + Size <= bytes.length) {
      val count = end - at
      if (count >= Size) Words.at(bytes, at) else start(Words.at(bytes, at), count)
    } else {
      var word = 0L
      var i = end - 1
      while (i >= at) {
        word = word << 8 | bytes(i) & 0xff
        i -= 1
      }
      word
    }

  /** Eight times the same byte. */
  def of(b: Int): Long = b * Ones

  /** Has the highest bit of a byte set where `word` has a byte below `bytes`, or there is a lower
    * such byte; `bytes` is one below 0x81, eight times.
    */
  def below(word: Long, bytes: Long): Long = (word - bytes) & ~word & Highest

  /** As [[below]], where `word` has the byte that `bytes` is, eight times. */
  def equal(word: Long, bytes: Long): Long = below(word ^ bytes, Ones)

  /** Has the highest bit of a byte set where `word` has a byte that is not ASCII. */
  def beyondAscii(word: Long): Long = word & Highest

  /** The place of the first byte whose highest bit is set. */
  def first(marks: Long): Int = java.lang.Long.numberOfTrailingZeros(marks) >> 3

  private final val Ones = 0x0101010101010101L
  private final val Highest = 0x8080808080808080L
}
