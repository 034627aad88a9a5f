package org.jellyspark.formats.rdfpatch

import java.io.OutputStream
import java.util.Arrays

import org.jellyspark.core.RefusedException.refuse

/** Text on its way to a file, as UTF-8; rows go out whole.
  *
  * @param out
  *   where the bytes go; closed by the caller
  */
private[rdfpatch] final class TextOutput(out: OutputStream) {
  import TextOutput._

  private[this] var bytes = new Array[Byte](FlushSize * 2)
  private[this] var size = 0

  /** Puts one ASCII character. */
  def put(c: Char): Unit = {
    reserve(1)
    bytes(size) = c.toByte
    size += 1
  }

  /** Puts text that is ASCII. */
  def put(ascii: String): Unit = {
    val length = ascii.length
    reserve(length)
    var i = 0
    while (i < length) {
      bytes(size + i) = ascii.charAt(i).toByte
      i += 1
    }
    size += length
  }

  /** Puts text with some of its characters escaped.
    *
    * @param what
    *   what it is of, for the rule that it breaks if it is no Unicode text
    */
  def put(text: String, escapes: Escapes, what: String): Unit = {
    val length = text.length
    var i = 0
    while (i < length) {
      val end = math.min(i + ChunkLength, length)
      reserve((end - i) * Escapes.MaxLength)
      i = putPlain(text, i, end, escapes)
      if (i < end) {
        val c = text.codePointAt(i)
        if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
          refuse(s"$what holds a lone surrogate")
        }
        val escape = escapes.of(c)
        if (escape == null) size += Utf8.encode(c, bytes, size) else put(escape)
        i += Character.charCount(c)
      }
    }
  }

  /** Puts the characters up to the first that is not ASCII or is escaped. */
  private def putPlain(text: String, from: Int, to: Int, escapes: Escapes): Int = {
    val target = bytes
    var at = size
    var i = from
    var isPlain = true
    while (isPlain && i < to) {
      val c = text.charAt(i)
      isPlain = escapes.isPlain(c)
      if (isPlain) {
        target(at) = c.toByte
        at += 1
        i += 1
      }
    }
    size = at
    i
  }

  /** Ends a row. */
  def endRow(): Unit = if (size >= FlushSize) write()

  /** Hands on what is held. */
  def flush(): Unit = {
    write()
    out.flush()
  }

  private def write(): Unit = {
    out.write(bytes, 0, size)
    size = 0
  }

  private def reserve(count: Int): Unit =
    if (bytes.length - size < count) {
      val needed = size.toLong + count
      if (needed > MaxSize) refuse("a row must be shorter than 2 GB")
      bytes = Arrays.copyOf(bytes, math.min(math.max(needed, bytes.length * 2L), MaxSize).toInt)
    }
}

private object TextOutput {
  private final val FlushSize = 64 * 1024
  private final val ChunkLength = 1024
  private final val MaxSize = Int.MaxValue - 8L // what virtual machines allow an array
}
