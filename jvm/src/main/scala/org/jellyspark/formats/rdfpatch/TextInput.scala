package org.jellyspark.formats.rdfpatch

import java.io.InputStream
import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.CorruptInputException
import org.jellyspark.core.errors.MalformedRowException.{malformed, noUtf8, Undamaged}

/** The bytes of a text, where they are being read. Those of the current row are held, from its
  * first one on, so memory grows with the longest row that the text really has.
  *
  * @param in
  *   the bytes; closed by the caller
  */
private[rdfpatch] final class TextInput(in: InputStream) {
  import TextInput._

  /** What is held of the text, up to `limit`; there a zero stands, for loops to end at. It is
    * another array, or holds the bytes elsewhere, after whatever reads on.
    */
  var buffer = new Array[Byte](BufferSize)

  /** Where the text is being read. */
  var pos = 0

  var limit = 0

  /** 1-based line of `pos`; a line ends with LF. */
  var line = 1L

  // Where the current row begins, if there is one.
  private[this] var rowAt = 0
  private[this] var inRow = false
  private[this] var atRowLine = 1L
  // Offset in the text of the buffer's first byte.
  private[this] var base = 0L
  private[this] var ended = false
  // What is wrong with compressed input, until it was raised.
  private[this] var damage: String = _

  /** Offset in the text of `pos`. */
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

  def rowOffset: Long = base + rowAt

  def rowLine: Long = atRowLine

  /** `pos` as a place in the row, which stays the same however the buffer changes. */
  def place: Int = pos - rowAt

  /** The index in the buffer, as it is now, of a place in the row. */
  def index(place: Int): Int = rowAt + place

  /** The byte at `pos`; -1 at the end. */
  def peek: Int = if (pos < limit) buffer(pos) & 0xff else peek(0)

  /** The byte that stands `ahead` of `pos`; -1 behind the end. */
  def peek(ahead: Int): Int = {
    while (pos + ahead >= limit) if (!more()) return -1
    buffer(pos + ahead) & 0xff
  }

  /** Whether `token`, which is ASCII, stands at `pos`. */
  def isNext(token: String): Boolean = {
    var i = 0
    while (i < token.length && peek(i) == token.charAt(i)) i += 1
    i == token.length
  }

  /** Reads more bytes behind `limit`; answers whether there were any.
    *
    * @throws org.jellyspark.core.MalformedRowException
    *   if compressed input is damaged, or a row is longer than an array can be
    */
  def more(): Boolean = {
    if (inRow && !hasRoom) malformed("a row of less than 2 GB", "a longer one")
    fill() || {
      if (damage != null) {
        val found = damage
        damage = null // what comes then is the end
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
      buffer = Arrays.copyOf(buffer, math.min(buffer.length * 2L, MaxBufferSize.toLong).toInt)
    }
    val count = read()
    if (count < 0) ended = true else limit += count
    buffer(limit) = 0
    !ended
  }

  private def hasRoom: Boolean =
    buffer.length < MaxBufferSize || rowAt > 0 || limit + 1 < buffer.length

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

  /** Skips a byte order mark, at the beginning of the text. */
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

  private def skipComment(): Unit =
    while (true) {
      (buffer(pos): @annotation.switch) match {
        case '\n' | '\r'       => return
        case 0 if pos == limit => if (!more()) return
        case _                 => pos += 1
      }
    }

  /** Moves on to the end of a run, or of what is held.
    *
    * @return
    *   whether there are bytes before that are not ASCII
    */
  def skip(run: Run): Boolean = {
    val end = run.end(buffer, pos, limit)
    pos = (end >> 1).toInt
    (end & 1) != 0
  }

  /** Goes back to the beginning of the row, and on to the next line.
    *
    * @return
    *   the text of the line from the beginning of the row on, without its end
    */
  def skipRowLine(): String = {
    pos = rowAt
    line = atRowLine
    while (!skipToLineEnd() && hasRoom && fill()) {}
    val isCrLf = buffer(pos) == '\n' && pos > rowAt && buffer(pos - 1) == '\r'
    val end = if (isCrLf) pos - 1 else pos
    val text = new String(buffer, rowAt, end - rowAt, UTF_8)
    // The rest of a line that is too long for a text.
    endRow()
    while (!skipToLineEnd() && fill()) {}
    text
  }

  /** Answers whether the line ends in the buffer, and moves on to its end. */
  private def skipToLineEnd(): Boolean = {
    while (pos < limit && buffer(pos) != '\n') pos += 1
    pos < limit
  }

  /** Raises an error at `pos`, which shows what stands there up to the next white space. */
  def failToken(expected: String): Nothing = {
    if (!isVisible) failChar(expected)
    val found = new java.lang.StringBuilder
    var count = 0
    // One more than is shown, so that it is seen that there are more.
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
    b >= 0 && !isWhite(b) && sequence() > 0
  }

  /** Raises an error at `pos`, which shows the character that stands there. */
  def failChar(expected: String): Nothing = peek(0) match {
    case -1          => malformed(expected, "the end of the input")
    case '\n' | '\r' => malformed(expected, "the end of the line")
    case _           =>
      val length = sequence()
      if (length == 0) noUtf8()
      malformed(expected, quoted(Character.toString(Utf8.character(buffer, pos, length))))
  }

  /** The length of the UTF-8 sequence at `pos`, where there is a byte; 0 if it is none. */
  def sequence(): Int = {
    if (buffer(pos) < 0) peek(3)
    Utf8.sequence(buffer, pos, limit)
  }
}

private[rdfpatch] object TextInput {

  private val BufferSize = 64 * 1024
  private val MaxBufferSize = Int.MaxValue - 8 // what virtual machines allow an array
  private val ShownCharacters = 40

  private def isWhite(b: Int): Boolean =
    b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\f'

  /** Text as errors show it. */
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
