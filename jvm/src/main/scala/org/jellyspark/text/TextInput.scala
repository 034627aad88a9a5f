package org.jellyspark.text

import java.io.{ByteArrayInputStream, InputStream}
import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.{CorruptInputException, RowLimit}
import org.jellyspark.core.errors.MalformedRowException.{
  malformed,
  noUtf8,
  quoted,
  ShownCharacters,
  Undamaged
}

/** A buffered text file with a position.
  *
  * The buffer always holds the whole current row, so memory grows only with the longest row in the
  * file. A full buffer is replaced by a new array, because terms may refer to its bytes.
  *
  * @param in
  *   the bytes of the file; closed by the caller
  * @param rowLimit
  *   the longest row to hold in memory
  * @param size
  *   the initial size of the buffer, in bytes
  */
private[jellyspark] final class TextInput(
    in: InputStream,
    rowLimit: RowLimit,
    size: Int = TextInput.BufferSize
) {
  import TextInput._

  /** The bytes read, up to `limit`, followed by a NUL that ends scanning loops, and by the padding
    * that [[CanonicalTerms]] needs. Any call that reads more bytes may replace the array.
    */
  var buffer: Array[Byte] = newBuffer(size)

  /** The index in `buffer` of the next byte to parse. */
  var pos = 0

  /** The index in `buffer` after the last byte read. */
  var limit = 0

  /** The number of the line at `pos`, starting at 1. A line ends with LF. */
  var line = 1L

  // The index in `buffer` at which the current row begins, if there is a current row.
  private[this] var rowAt = 0
  private[this] var inRow = false
  private[this] var atRowLine = 1L
  // The offset in the file of the first byte of the buffer.
  private[this] var base = 0L
  private[this] var ended = false
  // The longest buffer: the longest row plus what may be read along with its end.
  private[this] val maxBuffer = math.min(rowLimit.bytes.toLong + BufferSize, MaxBufferSize.toLong)
  // A description of damaged compressed input, until it is reported.
  private[this] var damage: String = _

  /** The offset in the file of `pos`. */
  def offset: Long = base + pos

  /** Begins a row at `pos`. */
  def beginRow(): Unit = {
    rowAt = pos
    atRowLine = line
    inRow = true
  }

  /** Ends the row at `pos`. */
  def endRow(): Unit = inRow = false

  /** Whether `pos` is inside a row. */
  def isInRow: Boolean = inRow

  /** The offset in the file of the current row. */
  def rowOffset: Long = base + rowAt

  /** The number of the line in which the current row begins. */
  def rowLine: Long = atRowLine

  /** `pos` as a place in the row: its distance in bytes from the beginning of the row. Unlike an
    * index, a place remains valid when the buffer changes.
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

  /** Whether only white space lies between the beginning of a line and `pos`, inside the row. */
  def beginsLine: Boolean = {
    var at = pos
    while (at > rowAt && !isLineEnd(buffer(at - 1)) && isWhite(buffer(at - 1).toInt)) at -= 1
    at > rowAt && isLineEnd(buffer(at - 1))
  }

  /** Whether the input continues with `token`, which must be ASCII. */
  def isNext(token: String): Boolean = {
    var i = 0
    while (i < token.length && peek(i) == token.charAt(i)) i += 1
    i == token.length
  }

  /** Reads more bytes, and appends them at `limit`.
    *
    * @return
    *   whether there were any
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if the compressed input is damaged, or the row is longer than the row limit
    */
  def more(): Boolean = {
    // The parser looks at most MaxAhead bytes ahead.
    if (inRow) rowLimit.check(0L + limit - rowAt - MaxAhead)
    fill() || {
      if (damage != null) {
        val found = damage
        damage = null // reported once; from then on, the input ends here
        malformed(Undamaged, found)
      }
      false
    }
  }

  private def fill(): Boolean = !ended && {
    if (!inRow) rowAt = pos
    if (limit == room) replaceBuffer()
    val count = read()
    if (count < 0) ended = true else limit += count
    endBuffer()
    !ended
  }

  /** Replaces the buffer by one that begins with the row, and has room for more bytes. */
  private def replaceBuffer(): Unit = {
    val kept = limit - rowAt
    val next = newBuffer(math.max(size.toLong, math.min(2L * kept, maxBuffer)).toInt)
    System.arraycopy(buffer, rowAt, next, 0, kept)
    buffer = next
    base += rowAt
    pos -= rowAt
    limit = kept
    rowAt = 0
  }

  private def newBuffer(room: Int): Array[Byte] = new Array[Byte](room + Padding)

  /** The number of bytes that the buffer can hold. */
  private def room: Int = buffer.length - Padding

  /** Ends the content of the buffer. */
  private def endBuffer(): Unit = {
    buffer(limit) = 0
    buffer(limit + 1) = '\n'
  }

  private def hasRoom: Boolean = room < maxBuffer || rowAt > 0 || limit < room

  private def read(): Int =
    try {
      var count = 0
      while (count == 0) count = in.read(buffer, limit, room - limit)
      count
    } catch {
      case e: CorruptInputException =>
        damage = e.getMessage
        -1
    }

  /** Replaces the content with one row, a copy of `bytes[from, to)`. */
  def load(bytes: Array[Byte], from: Int, to: Int): Unit = {
    val length = to - from
    if (length > room) buffer = newBuffer(length + math.min(length, MaxSpare))
    System.arraycopy(bytes, from, buffer, 0, length)
    pos = 0
    limit = length
    endBuffer()
    ended = true
    beginRow()
  }

  /** Skips a byte order mark. Call this at the beginning of the file. */
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
    *   whether any byte before it is not ASCII
    */
  def skip(scanner: ByteClassScanner): Boolean = {
    val end = scanner.end(buffer, pos, limit)
    pos = (end >> 1).toInt
    (end & 1) != 0
  }

  /** Goes back to the beginning of the row, and from there to the end of its line.
    *
    * @return
    *   the text from the beginning of the row to the end of its line, without the line terminator
    */
  def skipRowLine(): String = {
    pos = rowAt
    line = atRowLine
    while (!skipToLineEnd() && hasRoom && fill()) {}
    val isCrLf = buffer(pos) == '\n' && pos > rowAt && buffer(pos - 1) == '\r'
    val end = if (isCrLf) pos - 1 else pos
    val text = new String(buffer, rowAt, end - rowAt, UTF_8)
    // Skips the rest of a line that does not fit into an array.
    endRow()
    while (!skipToLineEnd() && fill()) {}
    text
  }

  /** Moves to the end of the line or of the buffer.
    *
    * @return
    *   whether it is the end of the line
    */
  private def skipToLineEnd(): Boolean = {
    while (pos < limit && buffer(pos) != '\n') pos += 1
    pos < limit
  }

  /** Throws an error that shows the text at `pos` up to the next white space. */
  def failToken(expected: String): Nothing = {
    if (!isVisible) failChar(expected)
    val found = new java.lang.StringBuilder
    var count = 0
    // One character more than `quoted` shows, so that it marks the text as cut.
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

  /** The length in bytes of the UTF-8 sequence at `pos`, where there must be a byte; 0 if it is not
    * valid.
    */
  def sequence(): Int = {
    if (buffer(pos) < 0) peek(3)
    Utf8.sequence(buffer, pos, limit)
  }
}

private[jellyspark] object TextInput {

  /** Returned instead of a byte at the end of the input. */
  final val End = -1

  /** Whether a byte ends a line. */
  def isLineEnd(b: Byte): Boolean = b == '\n' || b == '\r'

  private val BufferSize = 1 << 17
  // A NUL, and what `CanonicalTerms` needs.
  private val Padding = 2 + CanonicalTerms.Slack
  private val MaxBufferSize = Int.MaxValue - 8 - Padding // the longest array that HotSpot allocates
  private val MaxAhead = 8
  private val FirstRow = 1 << 10 // the initial buffer size for rows that are loaded, in bytes
  private val MaxSpare = 1 << 16 // the most spare room beside a loaded row, in bytes

  private def isWhite(b: Int): Boolean =
    b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f'

  /** An input with the text of a message. */
  def of(message: Array[Byte], rowLimit: RowLimit): TextInput = {
    // Room for the read that finds the end of the bytes.
    val size = math.min(message.length + 1L, BufferSize.toLong).toInt
    new TextInput(new ByteArrayInputStream(message), rowLimit, size)
  }

  /** An input for rows that [[TextInput.load]] provides. */
  def ofRows(rowLimit: RowLimit): TextInput =
    new TextInput(InputStream.nullInputStream(), rowLimit, FirstRow)
}
