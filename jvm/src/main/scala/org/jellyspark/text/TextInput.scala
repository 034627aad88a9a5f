package org.jellyspark.text

import java.io.{ByteArrayInputStream, InputStream}
import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.{CorruptInputException, RowLimit}
import org.jellyspark.core.errors.MalformedRowException.{malformed, noUtf8, Undamaged}

/** A text file being read, with a position.
  *
  * The buffer holds at least the current row from its first byte on, so memory grows with the
  * longest row that the file really has.
  *
  * @param in
  *   the file's bytes; closed by the caller
  * @param rowLimit
  *   the longest row that is taken into memory
  * @param size
  *   the size of the buffer at first, in bytes
  */
private[jellyspark] final class TextInput(
    in: InputStream,
    rowLimit: RowLimit,
    size: Int = TextInput.BufferSize
) {
  import TextInput._

  /** The bytes read, up to `limit`, then a NUL, at which loops can end. Every call that reads more
    * bytes may move the content or replace the array.
    */
  var buffer = new Array[Byte](size)

  /** The index in `buffer` of the next byte to be parsed. */
  var pos = 0

  /** The end of the bytes in `buffer`. */
  var limit = 0

  /** The line of `pos`, from 1 up. A line ends with LF. */
  var line = 1L

  // The index in `buffer` at which the current row begins, if there is one.
  private[this] var rowAt = 0
  private[this] var inRow = false
  private[this] var atRowLine = 1L
  // The offset in the file of the buffer's first byte.
  private[this] var base = 0L
  private[this] var ended = false
  // The longest buffer: it holds the longest row, and what is read with its end.
  private[this] val maxBuffer = math.min(rowLimit.bytes.toLong + BufferSize, MaxBufferSize.toLong)
  // The damage found in compressed input, until it is reported.
  private[this] var damage: String = _

  /** The offset in the file of `pos`. */
  def offset: Long = base + pos

  /** Begins a row at `pos`. */
  def beginRow(): Unit = {
    rowAt = pos
    atRowLine = line
    inRow = true
  }

  /** Ends the row before `pos`. */
  def endRow(): Unit = inRow = false

  /** Whether a row has begun and not ended. */
  def isInRow: Boolean = inRow

  /** The offset in the file of the current row. */
  def rowOffset: Long = base + rowAt

  /** The line in which the current row begins. */
  def rowLine: Long = atRowLine

  /** `pos` as a place in the row: the distance from the row's beginning. Unlike an index, it stays
    * valid when the buffer changes.
    */
  def place: Int = pos - rowAt

  /** The current index in `buffer` of a place in the row. */
  def index(place: Int): Int = rowAt + place

  /** The byte at `pos`, or [[TextInput.End]]. */
  def peek: Int = if (pos < limit) buffer(pos) & 0xff else peek(0)

  /** The byte `ahead` bytes after `pos`, or [[TextInput.End]]. */
  def peek(ahead: Int): Int = {
    while (pos + ahead >= limit) if (!more()) return End
    buffer(pos + ahead) & 0xff
  }

  /** Whether `token`, which must be ASCII, is at `pos`. */
  def isNext(token: String): Boolean = {
    var i = 0
    while (i < token.length && peek(i) == token.charAt(i)) i += 1
    i == token.length
  }

  /** Reads more bytes after `limit`.
    *
    * @return
    *   whether there were any
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if compressed input is damaged, or a row is too long
    */
  def more(): Boolean = {
    // The parser has looked at most MaxAhead bytes ahead.
    if (inRow) rowLimit.check(0L + limit - rowAt - MaxAhead)
    fill() || {
      if (damage != null) {
        val found = damage
        damage = null // reported once; after that, the input ends here
        malformed(Undamaged, found)
      }
      false
    }
  }

  private def fill(): Boolean = !ended && {
    if (!inRow) rowAt = pos
    if (rowAt > 0) {
      System.arraycopy(buffer, rowAt, buffer, 0, limit - rowAt)
      base += rowAt
      pos -= rowAt
      limit -= rowAt
      rowAt = 0
    }
    if (limit + 1 == buffer.length) {
      buffer = Arrays.copyOf(buffer, math.min(buffer.length * 2L, maxBuffer).toInt)
    }
    val count = read()
    if (count < 0) ended = true else limit += count
    buffer(limit) = 0
    !ended
  }

  private def hasRoom: Boolean =
    buffer.length < maxBuffer || rowAt > 0 || limit + 1 < buffer.length

  private def read(): Int =
    try {
      var count = 0
      while (count == 0) count = in.read(buffer, limit, buffer.length - 1 - limit)
      count
    } catch {
      case e: CorruptInputException =>
        damage = e.getMessage
        -1
    }

  /** Replaces the content by one row: the bytes from `from` to before `to`, which are copied. */
  def load(bytes: Array[Byte], from: Int, to: Int): Unit = {
    val length = to - from
    if (length >= buffer.length) buffer = new Array[Byte](length + math.min(length, MaxSpare) + 1)
    System.arraycopy(bytes, from, buffer, 0, length)
    buffer(length) = 0
    pos = 0
    limit = length
    ended = true
    beginRow()
  }

  /** Skips a byte order mark; called at the beginning of the file. */
  def skipByteOrderMark(): Unit =
    if (peek(0) == 0xef && peek(1) == 0xbb && peek(2) == 0xbf) pos += 3

  /** Skips white space and comments. */
  def skipBlank(): Unit =
    while (true) {
      (buffer(pos): @annotation.switch) match {
        case ' ' | '\t' | '\r' | '\f' => pos += 1
        case '\n'                     =>
          pos += 1
          line += 1
        case '#'               => skipComment()
        case 0 if pos == limit => if (!more()) return
        case _                 => return
      }
    }

  /** Skips spaces and tabs. */
  def skipSpaces(): Unit = while (peek == ' ' || peek == '\t') pos += 1

  private def skipComment(): Unit =
    while (true) {
      (buffer(pos): @annotation.switch) match {
        case '\n' | '\r'       => return
        case 0 if pos == limit => if (!more()) return
        case _                 => pos += 1
      }
    }

  /** Moves to the scanner's next stop byte, or to `limit`.
    *
    * @return
    *   whether bytes before it are not ASCII
    */
  def skip(scanner: ByteClassScanner): Boolean = {
    val end = scanner.end(buffer, pos, limit)
    pos = (end >> 1).toInt
    (end & 1) != 0
  }

  /** Goes back to the beginning of the row, and from there to the end of its line.
    *
    * @return
    *   the text of the line from the beginning of the row on, without the line's end
    */
  def skipRowLine(): String = {
    pos = rowAt
    line = atRowLine
    while (!skipToLineEnd() && hasRoom && fill()) {}
    val isCrLf = buffer(pos) == '\n' && pos > rowAt && buffer(pos - 1) == '\r'
    val end = if (isCrLf) pos - 1 else pos
    val text = new String(buffer, rowAt, end - rowAt, UTF_8)
    // Skips the rest of a line that is too long for an array.
    endRow()
    while (!skipToLineEnd() && fill()) {}
    text
  }

  /** Moves to the end of the line or of the buffer. Returns whether it is that of the line. */
  private def skipToLineEnd(): Boolean = {
    while (pos < limit && buffer(pos) != '\n') pos += 1
    pos < limit
  }

  /** Throws an error that shows the text at `pos` up to the next white space. */
  def failToken(expected: String): Nothing = {
    if (!isVisible) failChar(expected)
    val found = new java.lang.StringBuilder
    var count = 0
    // One character more than `quoted` shows, so that it marks the cut.
    while (count <= ShownCharacters && isVisible) {
      val length = sequence()
      found.appendCodePoint(Utf8.character(buffer, pos, length))
      pos += length
      count += 1
    }
    malformed(expected, quoted(found.toString))
  }

  private def isVisible: Boolean = {
    val b = peek(0)
    b != End && !isWhite(b) && sequence() > 0
  }

  /** Throws an error that shows the character at `pos`. */
  def failChar(expected: String): Nothing = peek(0) match {
    case End         => malformed(expected, "the end of the input")
    case '\n' | '\r' => malformed(expected, "the end of the line")
    case _           =>
      val length = sequence()
      if (length == 0) noUtf8(Utf8.describeInvalid(buffer, pos, limit))
      malformed(expected, quoted(Character.toString(Utf8.character(buffer, pos, length))))
  }

  /** The length of the UTF-8 sequence at `pos`, where there is a byte; 0 if it is not valid. */
  def sequence(): Int = {
    if (buffer(pos) < 0) peek(3)
    Utf8.sequence(buffer, pos, limit)
  }
}

private[jellyspark] object TextInput {

  /** In place of a byte: the end of the input. */
  final val End = -1

  private val BufferSize = 64 * 1024
  private val MaxBufferSize = Int.MaxValue - 8 // the longest array that HotSpot allocates
  private val MaxAhead = 8
  private val ShownCharacters = 40
  private val FirstRow = 1 << 10 // the size of the buffer for rows that are loaded
  private val MaxSpare = 1 << 16 // beside a row that is loaded, in bytes

  private def isWhite(b: Int): Boolean =
    b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f'

  /** The text of a message. */
  def of(message: Array[Byte], rowLimit: RowLimit): TextInput = {
    // Behind the bytes, there is a NUL, and room to find the end.
    val size = math.min(message.length + 2L, BufferSize.toLong).toInt
    new TextInput(new ByteArrayInputStream(message), rowLimit, size)
  }

  /** An input of rows that [[TextInput.load]] brings. */
  def ofRows(rowLimit: RowLimit): TextInput =
    new TextInput(InputStream.nullInputStream(), rowLimit, FirstRow)

  /** A text as errors show it: in quotes, cut after 40 characters, control characters escaped. */
  def quoted(text: String): String = {
    val out = new java.lang.StringBuilder("'")
    var count = 0
    var i = 0
    while (i < text.length && count <= ShownCharacters) {
      val c = text.codePointAt(i)
      if (count == ShownCharacters) out.append('…')
      else if (c < ' ' || c == 0x7f) out.append(f"\\u$c%04X")
      else out.appendCodePoint(c)
      count += 1
      i += Character.charCount(c)
    }
    out.append('\'').toString
  }
}
