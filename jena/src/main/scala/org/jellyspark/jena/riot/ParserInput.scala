package org.jellyspark.jena.riot

import java.io.InputStream
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.{CorruptInputException, MalformedRowException}

/** A part of a file.
  *
  * @param bytes
  *   the bytes; empty at the end of the file
  * @param damage
  *   why the file cannot be decompressed after them; null if it can
  */
private[riot] final class Block(val bytes: Array[Byte], val damage: CorruptInputException)

/** Reads a file in blocks that end between two characters of UTF-8, if the file is in UTF-8. */
private[riot] final class BlockReader(in: InputStream) {
  import BlockReader._

  // The beginning of a character whose other bytes have not been read yet.
  private[this] var rest = Array.emptyByteArray
  private[this] var hasEnded = false

  /** Returns the next block: an empty one at the end, and after it. */
  def next(): Block = {
    val bytes = Arrays.copyOf(rest, Size)
    var length = rest.length
    var damage: CorruptInputException = null
    try
      while (!hasEnded && length < Size) {
        val count = in.read(bytes, length, Size - length)
        if (count < 0) hasEnded = true else length += count
      }
    catch { case e: CorruptInputException => damage = e }
    val end = if (hasEnded) length else length - incomplete(bytes, length)
    rest = Arrays.copyOfRange(bytes, end, length)
    new Block(Arrays.copyOf(bytes, end), damage)
  }
}

private object BlockReader {
  private final val Size = 1 << 16
  private final val LongestCharacter = 4

  /** The number of bytes at the end that begin a character, but do not complete it. */
  private def incomplete(bytes: Array[Byte], length: Int): Int = {
    var start = length - 1
    while (start > 0 && length - start < LongestCharacter && (bytes(start) & 0xc0) == 0x80)
      start -= 1
    val first = if (start < 0) 0 else bytes(start) & 0xff
    val needed = if (first >= 0xf0) 4 else if (first >= 0xe0) 3 else if (first >= 0xc0) 2 else 1
    if (length - start < needed) length - start else 0
  }
}

/** The bytes that Jena's parser reads. It checks what the parser does not: that text is UTF-8, and
  * that rows are not too long.
  *
  * @param takeBlock
  *   returns the next block of the file
  */
private[riot] final class ParserInput(syntax: Syntax, options: RdfOptions, takeBlock: () => Block)
    extends InputStream {
  import ParserInput._

  private[this] var block = new Block(Array.emptyByteArray, null)
  private[this] var pos = 0
  // The end of what is passed on of the block: its end, or its first invalid byte.
  private[this] var limit = 0
  private[this] var hasEnded = false
  // The number of bytes in the blocks before, and of their lines, and where the last one begins.
  private[this] var size = 0L
  private[this] var lines = 0L
  private[this] var lineStart = 0L
  // The number of bytes passed on when the last row was found.
  private[this] var sizeAtRow = 0L
  // The error that ended the input. The parser may wrap what it gets.
  private[this] var found: InputError = _

  /** The number of bytes that have been read. */
  def offset: Long = size + pos

  /** The error that this stream has thrown, or null. */
  def error: InputError = found

  /** Called when the parser finds a row. */
  def addRow(): Unit = sizeAtRow = offset

  override def read(): Int = {
    val byte = new Array[Byte](1)
    if (read(byte, 0, 1) < 0) -1 else byte(0) & 0xff
  }

  override def read(bytes: Array[Byte], from: Int, count: Int): Int = {
    if (found != null) throw found
    if (pos == limit && !hasEnded) fill()
    if (hasEnded) -1
    else {
      val n = math.min(count, limit - pos)
      System.arraycopy(block.bytes, pos, bytes, from, n)
      pos += n
      n
    }
  }

  private def fill(): Unit = {
    if (limit < block.bytes.length) failAt(limit, "UTF-8", describe(limit))
    if (block.damage != null)
      fail("undamaged compressed input", s"an error: ${block.damage.getMessage}")
    // JSON-LD is read as a whole, so the limit can only be checked for its rows.
    if (syntax != Syntax.JsonLd) checkRowSize()
    countLines()
    val isFirst = size == 0
    block = takeBlock()
    pos = 0
    hasEnded = block.bytes.isEmpty && block.damage == null
    limit = block.bytes.length
    if (isFirst && startsWithMark) pos = ByteOrderMark.length
    // XML declares its encoding.
    if (syntax != Syntax.RdfXml && !Utf8.isValid(block.bytes, 0, limit))
      limit = Utf8.firstInvalid(block.bytes, 0, limit)
    // Only errors are left.
    if (pos == limit && !hasEnded) fill()
  }

  private def startsWithMark: Boolean = block.bytes.startsWith(ByteOrderMark)

  private def describe(at: Int): String =
    Utf8.describeInvalid(block.bytes, at, block.bytes.length)

  private def checkRowSize(): Unit =
    try options.rowLimit.check(offset - sizeAtRow)
    catch { case e: MalformedRowException => fail(e.expected, e.found) }

  private def countLines(): Unit = {
    val bytes = block.bytes
    var i = 0
    while (i < bytes.length) {
      if (bytes(i) == '\n') {
        lines += 1
        lineStart = size + i + 1
      }
      i += 1
    }
    size += bytes.length
  }

  /** Ends the input with an error at a byte of the block. */
  private def failAt(at: Int, expected: String, what: String): Nothing = {
    var (line, start) = (lines, lineStart)
    var i = 0
    while (i < at) {
      if (block.bytes(i) == '\n') {
        line += 1
        start = size + i + 1
      }
      i += 1
    }
    throwing(new InputError(expected, what, line + 1, size + at - start + 1))
  }

  private def fail(expected: String, what: String): Nothing =
    throwing(new InputError(expected, what))

  private def throwing(error: InputError): Nothing = {
    found = error
    throw error
  }
}

private object ParserInput {
  import java.nio.charset.StandardCharsets

  private val ByteOrderMark = "\ufeff".getBytes(StandardCharsets.UTF_8)
}
