package org.jellyspark.jelly.wire

import java.io.OutputStream
import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.bytes.Varint
import org.jellyspark.core.errors.RefusedException.refuse

/** Writes Protobuf's wire format to a growing array. Field numbers must be below 2^26^.
  *
  * All methods throw a [[org.jellyspark.core.errors.RefusedException]] if the output would reach 2
  * GiB.
  */
private[jellyspark] final class WireOutput {
  import WireOutput._

  private[this] var bytes = new Array[Byte](InitialSize)
  private[this] var count = 0

  /** The number of bytes written so far. */
  def size: Int = count

  /** Drops all bytes. */
  def clear(): Unit = {
    count = 0
    // Frees the memory after a large message.
    if (bytes.length > KeptSize) bytes = new Array[Byte](InitialSize)
  }

  def writeTo(out: OutputStream): Unit = out.write(bytes, 0, count)

  def toByteArray: Array[Byte] = java.util.Arrays.copyOf(bytes, count)

  /** Writes an unsigned number. */
  def varint(number: Int): Unit = {
    reserve(Varint.MaxSize32)
    count = Varint.put(number, bytes, count)
  }

  /** Writes a number field, unless the value is 0. */
  def number(field: Int, value: Int): Unit = if (value != 0) {
    reserve(2 * Varint.MaxSize32)
    count = Varint.put(Wire.varintTag(field), bytes, count)
    count = Varint.put(value, bytes, count)
  }

  /** Like [[number]], with 1 for true and 0 for false. */
  def flag(field: Int, value: Boolean): Unit = number(field, if (value) 1 else 0)

  /** Begins a field of `length` bytes, which the caller writes next. */
  def begin(field: Int, length: Int): Unit = {
    reserve(2 * Varint.MaxSize32)
    count = Varint.put(Wire.lengthTag(field), bytes, count)
    count = Varint.put(length, bytes, count)
  }

  /** Writes a field with a message of up to two numbers, which are omitted if they are 0. */
  def numbers(field: Int, first: Int, firstValue: Int, second: Int, secondValue: Int): Unit = {
    val length = sizeOfNumber(first, firstValue) + sizeOfNumber(second, secondValue)
    reserve(6 * Varint.MaxSize32)
    var at = Varint.put(length, bytes, Varint.put(Wire.lengthTag(field), bytes, count))
    if (firstValue != 0)
      at = Varint.put(firstValue, bytes, Varint.put(Wire.varintTag(first), bytes, at))
    if (secondValue != 0)
      at = Varint.put(secondValue, bytes, Varint.put(Wire.varintTag(second), bytes, at))
    count = at
  }

  /** Writes `source[from, to)`. */
  def put(source: Array[Byte], from: Int, to: Int): Unit = {
    val length = to - from
    reserve(length)
    System.arraycopy(source, from, bytes, count, length)
    count += length
  }

  /** Writes all bytes of another output. */
  def put(other: WireOutput): Unit = {
    reserve(other.size)
    other.copyTo(bytes, count)
    count += other.size
  }

  /** Writes a field that contains `source[from, to)`. */
  def field(field: Int, source: Array[Byte], from: Int, to: Int): Unit = {
    begin(field, to - from)
    put(source, from, to)
  }

  /** Writes a text field, unless the text is empty. */
  def text(field: Int, text: String): Unit = if (!text.isEmpty) {
    val utf8 = text.getBytes(UTF_8)
    this.field(field, utf8, 0, utf8.length)
  }

  /** Writes a message field, whose content `write` writes. The length is not known in advance, so
    * the content is then moved to make room for it.
    */
  def message(field: Int)(write: => Unit): Unit = {
    varint(Wire.lengthTag(field))
    val start = count
    write
    val length = count - start
    val shift = Varint.sizeOf(length)
    reserve(shift)
    System.arraycopy(bytes, start, bytes, start + shift, length)
    Varint.put(length, bytes, start)
    count += shift
  }

  private def copyTo(target: Array[Byte], at: Int): Unit =
    System.arraycopy(bytes, 0, target, at, count)

  private def reserve(length: Int): Unit = if (length > bytes.length - count) grow(length)

  private def grow(length: Int): Unit = {
    if (length > MaxSize - count) refuse(SizeRule)
    val doubled = math.min(2L * bytes.length, MaxSize.toLong).toInt
    bytes = java.util.Arrays.copyOf(bytes, math.max(doubled, count + length))
  }
}

private[jellyspark] object WireOutput {

  /** The rule against output of 2 GiB or more. */
  val SizeRule: String = "a frame must be shorter than 2 GiB: lower frameSize, or end frames sooner"

  private final val InitialSize = 1 << 13
  private final val KeptSize = 1 << 22
  // The longest array that every JVM can allocate.
  private final val MaxSize = Int.MaxValue - 8

  /** The number of bytes of an unsigned number. */
  def sizeOfVarint(number: Int): Int = Varint.sizeOf(number)

  /** The number of bytes of a field with `length` bytes of content, including its tag and its
    * length.
    */
  def sizeOf(field: Int, length: Int): Int =
    Varint.sizeOf(Wire.lengthTag(field)) + Varint.sizeOf(length) + length

  /** The number of bytes that [[WireOutput.number]] writes. */
  def sizeOfNumber(field: Int, value: Int): Int =
    if (value == 0) 0 else sizeOfVarint(Wire.varintTag(field)) + sizeOfVarint(value)
}
