package org.jellyspark.text

import java.io.OutputStream
import java.nio.charset.StandardCharsets.{ISO_8859_1, UTF_8}
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.RefusedException.refuse

/** A buffer of UTF-8 text, written to a file in whole rows.
  *
  * @param out
  *   the file; closed by the caller
  * @param initialSize
  *   the initial size of the buffer, in bytes
  */
private[jellyspark] final class TextOutput(
    out: OutputStream,
    initialSize: Int = TextOutput.BufferSize
) {
  import TextOutput._

  private[this] var bytes = new Array[Byte](initialSize)
  private[this] var size = 0

  /** Appends an ASCII character. */
  def put(c: Char): Unit = {
    reserve(1)
    bytes(size) = c.toByte
    size += 1
  }

  /** Appends ASCII text. */
  def put(ascii: String): Unit = put(ascii.getBytes(ISO_8859_1), 0, ascii.length)

  /** Appends text, escaping the characters of a table.
    *
    * @param what
    *   what the text belongs to, for the error about a lone surrogate
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

  /** Checks that a question mark comes from the text, not from the encoder, which replaces a lone
    * surrogate with it.
    */
  private def checkQuestionMark(text: String, utf8: Array[Byte], at: Int, what: String): Unit = {
    // If the lengths are equal, each character is one byte, at the same index.
    val isText =
      if (utf8.length == text.length) text.charAt(at) == '?' else UTF_8.newEncoder.canEncode(text)
    if (!isText) refuse(s"$what must not hold a lone surrogate, which UTF-8 cannot encode")
  }

  /** Appends UTF-8 text. */
  def put(utf8: Array[Byte]): Unit = put(utf8, 0, utf8.length)

  /** Appends `length` bytes from `source` if `test` recognizes them as a canonical term.
    *
    * @return
    *   whether they were appended
    */
  def putTerm(source: Array[Byte], from: Int, length: Int, test: CanonicalTerms.Test): Boolean = {
    reserve(length + 1 + CanonicalTerms.Slack)
    System.arraycopy(source, from, bytes, size, length)
    bytes(size + length) = '\n'
    val isTerm = test.end(bytes, size) == size + length
    if (isTerm) size += length
    isTerm
  }

  private def put(source: Array[Byte], from: Int, to: Int): Unit = {
    reserve(to - from)
    System.arraycopy(source, from, bytes, size, to - from)
    size += to - from
  }

  /** Ends a row. Writes the buffer to the file once it is large enough. */
  def endRow(): Unit = if (size >= FlushSize) write()

  /** Writes the buffer to the file, and flushes the file. */
  def flush(): Unit = {
    write()
    out.flush()
  }

  private def write(): Unit = {
    out.write(bytes, 0, size)
    size = 0
    // Frees the memory after a very long row.
    if (bytes.length > KeptSize) bytes = new Array[Byte](BufferSize)
  }

  private def reserve(count: Int): Unit =
    if (bytes.length - size < count) {
      val needed = size.toLong + count
      if (needed > MaxSize) refuse("a row must be shorter than 2 GiB")
      bytes = Arrays.copyOf(bytes, math.min(math.max(needed, bytes.length * 2L), MaxSize).toInt)
    }
}

private object TextOutput {
  private final val FlushSize = 64 * 1024
  private final val BufferSize = FlushSize * 2
  private final val KeptSize = 1 << 22
  private final val MaxSize = Int.MaxValue - 8L // the longest array that HotSpot allocates
}
