package org.jellyspark.formats.rdfpatch

import java.io.OutputStream
import java.nio.charset.StandardCharsets.{ISO_8859_1, UTF_8}
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.RefusedException.refuse

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
  def put(ascii: String): Unit = put(ascii.getBytes(ISO_8859_1), 0, ascii.length)

  /** Puts text with some of its characters escaped.
    *
    * @param what
    *   what it is of, for the rule that it breaks if it is no Unicode text
    */
  def put(text: String, escapes: Escapes, what: String): Unit = {
    val utf8 = text.getBytes(UTF_8)
    var from = 0
    while (from < utf8.length) {
      val end = escapes.endOfPlain(utf8, from)
      put(utf8, from, end)
      from = end
      if (end < utf8.length) {
        val b = utf8(end)
        if (b == '?') checkQuestionMark(text, utf8, end, what)
        val length = Utf8.sequence(utf8, end, utf8.length)
        val escape = escapes.of(Utf8.character(utf8, end, length))
        if (escape == null) put(utf8, end, end + length) else put(escape)
        from += length
      }
    }
  }

  /** Checks that a question mark stands for itself, not for what UTF-8 cannot hold. */
  private def checkQuestionMark(text: String, utf8: Array[Byte], at: Int, what: String): Unit = {
    // Of the same length, both have their characters in the same places.
    val isText =
      if (utf8.length == text.length) text.charAt(at) == '?' else UTF_8.newEncoder.canEncode(text)
    if (!isText) refuse(s"$what holds a lone surrogate")
  }

  private def put(source: Array[Byte], from: Int, to: Int): Unit = {
    reserve(to - from)
    System.arraycopy(source, from, bytes, size, to - from)
    size += to - from
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
    // An array that one long row has grown is let go of, not kept for short ones.
    if (bytes.length > KeptSize) bytes = new Array[Byte](FlushSize * 2)
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
  private final val KeptSize = 1 << 22
  private final val MaxSize = Int.MaxValue - 8L // what virtual machines allow an array
}
