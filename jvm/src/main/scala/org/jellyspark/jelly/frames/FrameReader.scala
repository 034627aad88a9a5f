package org.jellyspark.jelly.frames

import java.io.InputStream
import java.util.Arrays

import org.jellyspark.MalformedInputException
import org.jellyspark.core.bytes.Varint
import org.jellyspark.core.errors.{CorruptInputException, MalformedRowException, RowLimit}
import org.jellyspark.jelly.wire.{PackedVarint, Tag, Wire}

/** Splits a byte stream into frames, and frames into rows. It holds one row at a time, so memory
  * grows only with the longest row in the stream, never with a length that the stream announces.
  *
  * It reads delimited files ("Delimited variant" in both specifications) and undelimited files,
  * which are a single frame, and distinguishes them by their first bytes.
  *
  * @param in
  *   the bytes from `start` on; closed by the caller
  * @param file
  *   the name of the file in error messages
  * @param start
  *   the byte offset of the first frame in the file
  * @param longestRow
  *   the longest row to hold in memory, in bytes. Rows that fit into the buffer are not checked
  *   against it, so the caller must check them.
  */
final class FrameReader(
    in: InputStream,
    val file: String,
    start: Long = 0,
    longestRow: RowLimit = RowLimit.Default
) {
  import FrameReader._

  private[this] var buffer = new Array[Byte](BufferSize)
  private[this] var pos = 0
  private[this] var limit = 0
  // The offset in the file of the buffer's first byte.
  private[this] var base = start
  // The byte offset at which to stop, where a frame must begin.
  private[this] var end = Long.MaxValue
  // The index of `end` in the buffer, once the reader has passed it; -1 before.
  private[this] var passedEnd = -1
  private[this] var inFrame = false
  // The offset of the end of the current frame; Long.MaxValue in an undelimited file.
  private[this] var frameEnd = 0L
  // The index after the bytes of the current frame that are in the buffer.
  private[this] var frameLimit = 0
  // Whether the length of the current frame was read. If not, the beginning of the next one is
  // unknown.
  private[this] var isSound = true
  private[this] var delimited = true

  private[this] var rowAt = 0
  private[this] var rowBytes = 0

  /** Called before the bytes of the rows so far are overwritten. */
  var beforeMove: Runnable = () => ()

  /** The byte offset of the current frame or, in delimited input, of its length. */
  var frameOffset: Long = 0L

  /** The 0-based ordinal of the current row in its frame; -1 before the first row. */
  var rowIndex: Long = -1

  /** The array that holds the current row: `rowLength` bytes from `rowStart` on. Valid until
    * [[beforeMove]] is called.
    */
  def rowBuffer: Array[Byte] = buffer

  def rowStart: Int = rowAt

  def rowLength: Int = rowBytes

  /** Reads the next row, the end of a frame, or the end of the stream.
    *
    * @return
    *   [[FrameReader.Row]], [[FrameReader.FrameEnd]] or [[FrameReader.StreamEnd]]
    * @throws org.jellyspark.MalformedInputException
    *   if the bytes are not frames, or end within a frame
    */
  def next(): Int = {
    // The most common case: a row of less than 16 KiB that is completely in the buffer.
    val bytes = buffer
    val at = pos
    if (at + 2 < frameLimit && bytes(at) == Tag.Row) {
      val read = PackedVarint.readShort(bytes, at + 1, frameLimit)
      val length = PackedVarint.number(read)
      val from = PackedVarint.next(read)
      if (read != PackedVarint.None && length <= frameLimit - from) {
        rowAt = from
        rowBytes = length
        pos = from + length
        rowIndex += 1
        return Row
      }
    }
    val found = nextAnywhere()
    frameLimit = if (inFrame) math.min(frameEnd - base, limit.toLong).toInt else 0
    found
  }

  /** The index in [[rowBuffer]] at which the next row begins, for a caller that reads rows there
    * itself: see [[pass]].
    */
  def nextRow: Int = pos

  /** The index in [[rowBuffer]] after the bytes of the current frame. */
  def rowsEnd: Int = frameLimit

  /** Skips `count` rows that the caller has read, up to the index `to`. */
  def pass(to: Int, count: Int): Unit = {
    pos = to
    rowIndex += count
  }

  /** Begins a range of frames: with the first frame, or where the last range ended.
    *
    * @param rangeEnd
    *   the byte offset at which the range ends, and where a frame must begin; `Long.MaxValue` for
    *   the end of the stream
    */
  def startRange(rangeEnd: Long): Unit = {
    if (passedEnd >= 0) pos = passedEnd
    passedEnd = -1
    inFrame = false
    frameLimit = 0
    end = rangeEnd
  }

  /** Continues past the end of the range. [[startRange]] goes back to the end. */
  def passEnd(): Unit = {
    passedEnd = pos
    end = Long.MaxValue
  }

  /** Begins another stream, whose bytes `in` returns from now on. */
  def restart(): Unit = {
    if (buffer.length > BufferSize) buffer = new Array[Byte](BufferSize)
    base = 0
    pos = 0
    limit = 0
    passedEnd = -1
    frameOffset = 0
    rowIndex = -1
    startRange(Long.MaxValue)
  }

  /** Skips the remaining frames of the range.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if no frame ends at the end of the range
    */
  def skipToEnd(): Unit = if (passedEnd < 0) {
    if (!isSound) malformed("a frame whose end is known", "a frame whose end is unknown")
    frameLimit = 0
    if (inFrame) skipRest()
    while (offset < end && ensure(1)) {
      startFrame()
      skipRest()
    }
  }

  private def skipRest(): Unit = {
    skipBytes(frameEnd - offset)
    inFrame = false
  }

  private def nextAnywhere(): Int =
    if (inFrame) nextInFrame()
    else if (offset == end) StreamEnd
    else if (offset > 0) {
      if (delimited && ensure(1)) {
        startFrame()
        nextInFrame()
      } else StreamEnd
    } else if (ensure(1)) {
      delimited = isDelimited
      startFrame()
      nextInFrame()
    } else StreamEnd

  /** Throws an error about the current row. */
  def malformedRow(expected: String, found: String): Nothing =
    throw MalformedInputException.inFrame(file, frameOffset, rowIndex, expected, found)

  /** Throws an error about the current frame, outside its rows. */
  def malformed(expected: String, found: String): Nothing =
    throw MalformedInputException.inFrame(file, frameOffset, -1, expected, found)

  private def offset: Long = base + pos

  /** Whether the input begins with the length of a frame. Undelimited input begins with the tag of
    * a row, which is the byte 10. A frame of 10 bytes begins with the same byte, but its next byte
    * is the tag of a row again, and no options row is 10 bytes long, or the tag of metadata,
    * followed by a length below 10.
    */
  private def isDelimited: Boolean = {
    val tag = Wire.lengthTag(Wire.FrameRows)
    ensure(3)
    buffer(0) != tag || (limit > 2 && {
      if (buffer(1) == Wire.lengthTag(Wire.FrameMetadata)) buffer(2) >= 0 && buffer(2) < tag
      else buffer(1) == tag && buffer(2) != tag
    })
  }

  private def startFrame(): Unit = {
    frameOffset = offset
    rowIndex = -1
    frameEnd = Long.MaxValue
    isSound = false
    if (delimited) {
      val length = readVarint()
      if (length < 0 || length > Int.MaxValue) {
        malformed("a frame of at most 2147483647 bytes", s"a frame of ${unsigned(length)} bytes")
      }
      frameEnd = offset + length
      if (frameEnd > end) malformed(endInRange, s"a frame that ends at byte $frameEnd")
    } else if (end != Long.MaxValue) malformed(endInRange, "a file that is one undelimited frame")
    isSound = true
    inFrame = true
  }

  private def endInRange: String =
    s"a frame that ends by byte $end, where the index has a restart point"

  private def nextInFrame(): Int = {
    while (offset < frameEnd && (delimited || ensure(1))) {
      val tag = readTag()
      if (tag == Wire.lengthTag(Wire.FrameRows)) {
        rowIndex += 1
        readRow()
        return Row
      }
      skip(tag, 0)
    }
    inFrame = false
    FrameEnd
  }

  private def readRow(): Unit = {
    val length = readVarint()
    if (length < 0 || length > frameEnd - offset) {
      malformedRow("a row that ends within its frame", s"a row of ${unsigned(length)} bytes")
    }
    try longestRow.check(length)
    catch { case e: MalformedRowException => malformedRow(e.expected, e.found) }
    if (!ensure(length.toInt)) cutOff()
    rowBytes = length.toInt
    rowAt = pos
    pos += rowBytes
  }

  private def readTag(): Int = {
    val tag = readVarint()
    if (tag < 8 || tag > 0xffffffffL) malformedTag(tag)
    tag.toInt
  }

  private def malformedTag(tag: Long): Nothing =
    malformed("a valid field tag", s"the tag ${unsigned(tag)}")

  /** Skips an unknown field. */
  private def skip(tag: Int, depth: Int): Unit = tag & 7 match {
    case Wire.Varint                              => readVarint()
    case Wire.Fixed64                             => skipBytes(8)
    case Wire.Fixed32                             => skipBytes(4)
    case Wire.LengthDelimited                     => skipBytes(readVarint())
    case Wire.StartGroup if depth < MaxGroupDepth =>
      val end = tag + (Wire.EndGroup - Wire.StartGroup)
      var inner = readTag()
      while (inner != end) {
        skip(inner, depth + 1)
        inner = readTag()
      }
    case _ => malformedTag(Integer.toUnsignedLong(tag))
  }

  private def skipBytes(count: Long): Unit = {
    if (count < 0 || count > frameEnd - offset) {
      malformed("a field that ends within its frame", s"a field of ${unsigned(count)} bytes")
    }
    var left = count
    while (left > 0) {
      if (!ensure(1)) cutOff()
      val step = math.min(left, (limit - pos).toLong).toInt
      pos += step
      left -= step
    }
  }

  private def readVarint(): Long = {
    var size = Varint.sizeAt(buffer, pos, numberLimit)
    while (size == Varint.Incomplete) {
      val available = numberLimit - pos
      if (available >= Varint.MaxSize) malformed("a varint of at most 10 bytes", "a longer varint")
      if (inFrame && offset + available == frameEnd)
        malformed("a varint that ends within its frame", "the end of the frame")
      if (!ensure(available + 1)) cutOff()
      size = Varint.sizeAt(buffer, pos, numberLimit)
    }
    val number = Varint.valueAt(buffer, pos, size)
    pos += size
    number
  }

  /** The index of the end of the buffer, or of the current frame if that is earlier. */
  private def numberLimit: Int =
    if (inFrame) math.min(frameEnd - base, limit.toLong).toInt else limit

  private def cutOff(): Nothing =
    malformed("the rest of the frame", s"the end of the input at byte ${base + limit}")

  /** Makes `count` bytes available from `pos` on. The buffer grows only as bytes arrive.
    *
    * @return
    *   whether the stream has that many bytes
    */
  private def ensure(count: Int): Boolean = {
    while (limit - pos < count) {
      if (limit == buffer.length) makeRoom(count)
      val read =
        try in.read(buffer, limit, buffer.length - limit)
        catch {
          case e: CorruptInputException => malformed(MalformedRowException.Undamaged, e.getMessage)
        }
      if (read < 0) return false
      limit += read
    }
    true
  }

  private def makeRoom(count: Int): Unit = {
    val from = if (passedEnd < 0) pos else passedEnd
    if (from > 0) {
      beforeMove.run()
      System.arraycopy(buffer, from, buffer, 0, limit - from)
      base += from
      limit -= from
      pos -= from
      if (passedEnd > 0) passedEnd = 0
    } else {
      val enough = math.min(count.toLong + BufferSize, Int.MaxValue - 8L)
      buffer = Arrays.copyOf(buffer, math.min(buffer.length * 2L, enough).toInt)
    }
  }

  private def unsigned(value: Long): String = java.lang.Long.toUnsignedString(value)
}

object FrameReader {
  final val Row = 0
  final val FrameEnd = 1
  final val StreamEnd = 2

  private val BufferSize = 1 << 16
  // The same limit as in protobuf-java.
  private val MaxGroupDepth = 100
}
