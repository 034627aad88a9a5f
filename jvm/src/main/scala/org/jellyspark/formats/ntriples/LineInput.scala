package org.jellyspark.formats.ntriples

import java.io.InputStream
import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.{CorruptInputException, MalformedRowException, RowLimit}
import org.jellyspark.core.errors.MalformedRowException.{malformed, Undamaged}
import org.jellyspark.core.formats.FilePart
import org.jellyspark.text.CanonicalTerms

/** The lines that begin in one part of a file. A line feed or a carriage return ends a line.
  *
  * The file is read in blocks. A block is a new array each time, so that terms can refer to its
  * bytes. It holds the current row from its first byte on, so memory grows with the longest row
  * that the file really has.
  *
  * @param in
  *   the bytes of the file from [[LineInput.startOf]] the part on; closed by the caller
  * @param file
  *   the file's name in errors
  */
private[ntriples] final class LineInput(
    in: InputStream,
    file: String,
    part: FilePart,
    rowLimit: RowLimit
) {
  import LineInput._

  /** The bytes that were read, up to `limit`, then a line feed and more, as [[CanonicalTerms]]
    * needs it.
    */
  var bytes: Array[Byte] = Empty

  /** The index in `bytes` of the next byte: where a line begins, or in the blanks before a row. */
  var pos = 0

  /** The end of the bytes that were read. */
  var limit = 0

  /** The index behind the row that [[find]] found: that of the line's end. */
  var rowEnd = 0

  /** The index behind the end of the row's line. */
  def lineEnd: Int = math.min(rowEnd + 1, limit)

  // The offset in the file of the first byte of `bytes`.
  private[this] var base = startOf(part)
  // Where the line of `pos` begins in the file, and its number, which line feeds count.
  private[this] var lineStart = base
  private[this] var line = 1L
  private[this] var hasBegun = false
  private[this] var ended = false
  // The damage found in compressed input, until it is reported.
  private[this] var damage: String = _
  // The longest block: it holds the longest row, and what is read with its end.
  private[this] val maxBlock =
    math.min(rowLimit.bytes.toLong + BlockSize, MaxArray.toLong - CanonicalTerms.Slack - 1)

  /** Whether the line of `pos` begins behind the part. */
  def isOver: Boolean = lineStart >= part.end

  /** Ends the line.
    *
    * @param end
    *   the index of its end
    */
  def endLine(end: Int): Unit = {
    if (bytes(end) == '\n') line += 1
    pos = end + 1
    lineStart = base + pos
  }

  /** Moves to the next row, of which `pos` is the beginning and [[rowEnd]] the end then.
    *
    * @param mayRead
    *   whether to read another block where that is needed
    * @return
    *   [[Found]]; [[AtEnd]] if there is no row in this part; [[NeedsBlock]]
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if compressed input is damaged, or the row is too long
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

  /** Finds the row whose line has no end, if there is one. */
  private def findLast(): Int = {
    if (damage != null) {
      val found = damage
      damage = null // reported once; after that, the input ends here
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

  /** The text of the row at `pos`: up to the end of its line, or as much as was read of it. */
  def rowText: String = {
    findLineEnd()
    new String(bytes, pos, rowEnd - pos, UTF_8)
  }

  /** Adds to an error the place of the row at `pos`.
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
    // The line before the part ends where the part begins, or behind that.
    if (part.start > 0) skipLine()
    else if (limit >= ByteOrderMark.length && bytes.startsWith(ByteOrderMark)) {
      pos = ByteOrderMark.length
    }
  }

  /** Finds the end of the line, and sets [[rowEnd]]. Returns whether it was read. */
  private def findLineEnd(): Boolean = {
    var i = pos
    while (!isLineEnd(bytes(i))) i += 1
    rowEnd = i
    i < limit
  }

  /** Reads a block, to which the bytes from `pos` on are copied. */
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

  /** How much of a block to fill: not much more than what belongs to the part. */
  private def sizeInPart(size: Int): Int = {
    val left = part.end - base
    if (left < size - LongRow && left + LongRow > limit) (left + LongRow).toInt else size
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

  /** There are no more rows. */
  final val AtEnd = 1

  /** Another block must be read. */
  final val NeedsBlock = 2

  // Small enough to be no humongous object of the garbage collector G1.
  private final val BlockSize = 1 << 18
  // More bytes than most rows have.
  private final val LongRow = 1 << 12
  private final val MaxArray = Int.MaxValue - 8 // the longest array that HotSpot allocates

  private val ByteOrderMark = "\ufeff".getBytes(UTF_8)
  private val Empty = '\n'.toByte +: new Array[Byte](CanonicalTerms.Slack)

  /** The offset at which the input of a part begins: one byte before it, as that may end a line. */
  def startOf(part: FilePart): Long = math.max(0L, part.start - 1)

  /** The offset at which the last row that begins in a part probably ends. */
  def endOf(part: FilePart): Long =
    if (part.end > Long.MaxValue - LongRow) part.end else part.end + LongRow

  private def isLineEnd(b: Byte): Boolean = b == '\n' || b == '\r'
}
