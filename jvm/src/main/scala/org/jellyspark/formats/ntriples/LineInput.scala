package org.jellyspark.formats.ntriples

import java.io.{ByteArrayInputStream, InputStream}
import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.{CorruptInputException, MalformedRowException, RowLimit}
import org.jellyspark.core.errors.MalformedRowException.{malformed, Undamaged}
import org.jellyspark.core.formats.FilePart
import org.jellyspark.text.{CanonicalTerms, TextInput}

/** The lines that begin in one part of a file. A line feed or a carriage return ends a line.
  *
  * The file is read in blocks. Each block is a new array, because terms refer to its bytes. A block
  * always holds the whole current row, so memory grows only with the longest row in the file.
  *
  * @param in
  *   the bytes of the file from [[LineInput.startOf]] the part; closed by the caller
  * @param file
  *   the file name for error messages
  */
private[ntriples] final class LineInput(
    in: InputStream,
    file: String,
    part: FilePart,
    rowLimit: RowLimit
) {
  import LineInput._
  import TextInput.isLineEnd

  /** The bytes read so far, up to `limit`, followed by a line feed and the padding that
    * [[CanonicalTerms]] needs.
    */
  var bytes: Array[Byte] = Empty

  /** The index in `bytes` of the next byte: the beginning of a line, or the white space before a
    * row.
    */
  var pos = 0

  /** The index in `bytes` after the last byte read. */
  var limit = 0

  /** The index after the last byte of the row that [[find]] found, which is where its line ends. */
  var rowEnd = 0

  /** Whether the file is a stream of messages. It then has only one part: the part that begins at 0
    * is the whole file, and others are empty. Known after the first call of [[find]].
    */
  def isMessages: Boolean = hasMessages

  /** The index after the line terminator of the row. */
  def lineEnd: Int = math.min(rowEnd + 1, limit)

  // The offset in the file of the first byte of `bytes`.
  private[this] var base = startOf(part)
  // The file offset of the line at `pos`, and its number. Only line feeds count as new lines.
  private[this] var lineStart = base
  private[this] var line = 1L
  private[this] var hasBegun = false
  private[this] var hasMessages = false
  // The file offset at which the part ends.
  private[this] var partEnd = part.end
  private[this] var ended = false
  // A description of damaged compressed input, until it is reported.
  private[this] var damage: String = _
  // The longest block: the longest row plus what may be read along with its end.
  private[this] val maxBlock =
    math.min(rowLimit.bytes.toLong + BlockSize, MaxArray.toLong - CanonicalTerms.Slack - 1)

  /** Whether the line at `pos` begins after the end of the part. */
  def isOver: Boolean = lineStart >= partEnd

  /** Moves past the end of the line.
    *
    * @param end
    *   the index of the line terminator
    */
  def endLine(end: Int): Unit = {
    if (bytes(end) == '\n') line += 1
    pos = end + 1
    lineStart = base + pos
  }

  /** Moves to the next row, and sets `pos` to its beginning and [[rowEnd]] to its end.
    *
    * @param mayRead
    *   whether to read another block if one is needed
    * @return
    *   [[Found]]; [[AtEnd]] if the part has no more rows; [[NeedsBlock]] if another block must be
    *   read, but `mayRead` is false
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if the compressed input is damaged, or a row is longer than the row limit
    */
  def find(mayRead: Boolean): Int = {
    if (!hasBegun) begin()
    while (!isOver) {
      val b = bytes(pos)
      if (b == ' ' || b == '\t') pos += 1
      else if (pos < limit && isLineEnd(b)) endLine(pos)
      else if (pos < limit && b == '#' && (mayRead || ended || findLineEnd())) skipLine()
      else {
        if (pos < limit && findLineEnd()) return Found
        if (ended) return findLast()
        if (!mayRead) return NeedsBlock
        readBlock()
      }
    }
    AtEnd
  }

  /** Finds a last row that has no line terminator, if there is one. */
  private def findLast(): Int = {
    if (damage != null) {
      val found = damage
      damage = null // reported once; from then on, the input ends here
      malformed(Undamaged, found)
    }
    if (pos < limit) Found else AtEnd
  }

  /** Moves to the beginning of the next line. */
  def skipLine(): Unit = {
    while (!findLineEnd() && !ended) {
      pos = limit
      readBlock()
    }
    if (rowEnd < limit) endLine(rowEnd) else pos = limit
  }

  /** The text of the row at `pos`, up to the end of its line or of the bytes read so far. */
  def rowText: String = {
    findLineEnd()
    new String(bytes, pos, rowEnd - pos, UTF_8)
  }

  /** Adds the position of the row at `pos` to an error.
    *
    * @param row
    *   the number of rows before it in this part
    */
  def located(e: MalformedRowException, row: Long): MalformedInputException = {
    val offset = base + pos
    if (part.start > 0) MalformedInputException.atByte(file, offset, e.expected, e.found)
    else MalformedInputException.inLine(file, offset, row, line, e.expected, e.found)
  }

  private def begin(): Unit = {
    hasBegun = true
    readBlock()
    // The previous part reads the line that spans the boundary. See `startOf`.
    if (part.start > 0) skipLine()
    else {
      val head = new ByteArrayInputStream(bytes, 0, math.min(limit, MessageStream.HeadSize))
      hasMessages = !part.isEmpty && MessageStream.isIn(head)
      if (hasMessages) partEnd = Long.MaxValue
      if (limit >= ByteOrderMark.length && bytes.startsWith(ByteOrderMark)) {
        pos = ByteOrderMark.length
      }
    }
  }

  /** Finds the end of the line and sets [[rowEnd]].
    *
    * @return
    *   whether the bytes read so far contain the end of the line
    */
  private def findLineEnd(): Boolean = {
    var i = pos
    while (!isLineEnd(bytes(i))) i += 1
    rowEnd = i
    i < limit
  }

  /** Reads the next block, which begins with a copy of the bytes from `pos` on. */
  private def readBlock(): Unit = {
    val kept = limit - pos
    rowLimit.check(kept.toLong)
    val size = if (kept <= BlockSize / 2) BlockSize else math.min(2L * kept, maxBlock).toInt
    val block = new Array[Byte](size + CanonicalTerms.Slack + 1)
    System.arraycopy(bytes, pos, block, 0, kept)
    base += pos
    pos = 0
    limit = kept
    bytes = block
    read(sizeInPart(size))
    bytes(limit) = '\n'
  }

  /** The number of bytes to read into a block of `size` bytes. Avoids reading far past the end of
    * the part.
    */
  private def sizeInPart(size: Int): Int = {
    val left = endOf(FilePart(part.start, partEnd)) - base
    if (left < size && left > limit) left.toInt else size
  }

  private def read(size: Int): Unit =
    try {
      while (!ended && limit < size) {
        val count = in.read(bytes, limit, size - limit)
        if (count < 0) ended = true else limit += count
      }
    } catch {
      case e: CorruptInputException =>
        damage = e.getMessage
        ended = true
    }
}

private[ntriples] object LineInput {

  /** [[LineInput.find]] found a row. */
  final val Found = 0

  /** The part has no more rows. */
  final val AtEnd = 1

  /** Another block must be read first. */
  final val NeedsBlock = 2

  // Small enough not to be a humongous object of the G1 garbage collector.
  private final val BlockSize = 1 << 18
  // Longer than most rows.
  private final val LongRow = 1 << 12
  private final val MaxArray = Int.MaxValue - 8 // the longest array that HotSpot allocates

  private val ByteOrderMark = "\ufeff".getBytes(UTF_8)
  private val Empty = '\n'.toByte +: new Array[Byte](CanonicalTerms.Slack)

  /** The offset at which the input of a part begins: one byte before it, as that may end a line. */
  def startOf(part: FilePart): Long = math.max(0L, part.start - 1)

  /** The offset at which the last row that begins in a part probably ends. The part that begins at
    * 0 also includes the head of the file.
    */
  def endOf(part: FilePart): Long = {
    val end = if (part.end > Long.MaxValue - LongRow) part.end else part.end + LongRow
    if (part.start == 0) math.max(end, MessageStream.HeadSize.toLong) else end
  }
}
