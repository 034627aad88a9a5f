package org.jellyspark.jelly

import java.io.InputStream
import java.util.Arrays

import com.google.protobuf.WireFormat
import org.jellyspark.MalformedInputException
import org.jellyspark.core.{CorruptInputException, MalformedRowException}

/** Cuts a byte stream into frames, and frames into rows; holds one row at a time, so memory grows
  * with the longest row that the stream really has.
  *
  * Reads the delimited variant ("Delimited variant" in both specifications) and the one frame of an
  * undelimited file, told apart by their first bytes.
  *
  * @param in
  *   the bytes; closed by the caller
  * @param file
  *   what errors call them
  */
final class FrameReader(in: InputStream, file: String) {
  import FrameReader._

  private[this] var buffer = new Array[Byte](BufferSize)
  private[this] var pos = 0
  private[this] var limit = 0
  // Offset in the stream of the buffer's first byte.
  private[this] var base = 0L
  private[this] var inFrame = false
  // Offset of the end of the current frame; of an undelimited one it is known when it is reached.
  private[this] var frameEnd = 0L
  private[this] var delimited = true

  private[this] var rowAt = 0
  private[this] var rowBytes = 0

  /** Byte offset of the current frame, of its length where it has one. */
  var frameOffset: Long = 0L

  /** 0-based ordinal in its frame of the current row; -1 before the first. */
  var rowIndex: Int = -1

  /** The bytes that hold the current row, from `rowStart`, `rowLength` of them; valid until `next`.
    */
  def rowBuffer: Array[Byte] = buffer

  def rowStart: Int = rowAt

  def rowLength: Int = rowBytes

  /** Moves on; answers [[FrameReader.Row]], [[FrameReader.FrameEnd]] or [[FrameReader.StreamEnd]].
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the bytes are no frames, or end within one
    */
  def next(): Int =
    if (inFrame) nextInFrame()
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

  /** Raises an error in the current row. */
  def malformedRow(expected: String, found: String): Nothing =
    throw MalformedInputException.inFrame(file, frameOffset, rowIndex.toLong, expected, found)

  /** Raises an error in the current frame, outside its rows. */
  def malformed(expected: String, found: String): Nothing =
    throw MalformedInputException.inFrame(file, frameOffset, -1, expected, found)

  private def offset: Long = base + pos

  /** Undelimited input starts with the tag of a row. A frame of 10 bytes starts with the same byte,
    * but then with the tag of a row again, while no options row is 10 bytes long; or with that of
    * metadata, and a length that is no tag.
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
    if (delimited) {
      val length = readVarint()
      if (length < 0 || length > Int.MaxValue) {
        malformed("a frame of at most 2147483647 bytes", s"the length ${unsigned(length)}")
      }
      frameEnd = offset + length
    }
    inFrame = true
  }

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
    if (!ensure(math.min(length, MaxRowLength).toInt)) cutOff()
    if (length > MaxRowLength) {
      malformedRow(s"a row of at most $MaxRowLength bytes", s"a row of $length bytes")
    }
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
    malformed("a field of a frame", s"the tag ${unsigned(tag)}")

  /** Skips a field that the schema does not know. */
  private def skip(tag: Int, depth: Int): Unit = WireFormat.getTagWireType(tag) match {
    case WireFormat.WIRETYPE_VARINT                               => readVarint()
    case WireFormat.WIRETYPE_FIXED64                              => skipBytes(8)
    case WireFormat.WIRETYPE_FIXED32                              => skipBytes(4)
    case WireFormat.WIRETYPE_LENGTH_DELIMITED                     => skipBytes(readVarint())
    case WireFormat.WIRETYPE_START_GROUP if depth < MaxGroupDepth =>
      val end = tag + (WireFormat.WIRETYPE_END_GROUP - WireFormat.WIRETYPE_START_GROUP)
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
    var value = 0L
    var shift = 0
    while (shift < 70) {
      if (inFrame && offset == frameEnd) malformed("a number", "the end of the frame")
      if (pos == limit && !ensure(1)) cutOff()
      val byte = buffer(pos)
      pos += 1
      value |= (byte & 0x7fL) << shift
      if (byte >= 0) return value
      shift += 7
    }
    malformed("a number of at most 10 bytes", "a longer one")
  }

  private def cutOff(): Nothing =
    malformed("the rest of the frame", s"the end of the input at byte ${base + limit}")

  /** Makes `count` bytes available from `pos`, if the stream has them. The buffer grows only as
    * bytes arrive.
    */
  private def ensure(count: Int): Boolean = {
    while (limit - pos < count) {
      if (limit == buffer.length) makeRoom()
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

  private def makeRoom(): Unit =
    if (pos > 0) {
      System.arraycopy(buffer, pos, buffer, 0, limit - pos)
      base += pos
      limit -= pos
      pos = 0
    } else {
      buffer = Arrays.copyOf(buffer, math.min(buffer.length * 2L, Int.MaxValue - 8L).toInt)
    }

  private def unsigned(value: Long): String = java.lang.Long.toUnsignedString(value)
}

object FrameReader {
  final val Row = 0
  final val FrameEnd = 1
  final val StreamEnd = 2

  private val BufferSize = 1 << 16
  // What protobuf-java allows for messages too.
  private val MaxGroupDepth = 100
  // The buffer is an array, and holds a row whole.
  private val MaxRowLength = 1L << 30
}
