package org.jellyspark.codec

import java.io.{EOFException, InputStream}
import java.util.Arrays

import com.google.protobuf.WireFormat
import org.jellyspark.MalformedPatchException

/** Cuts a byte stream into frames, and frames into rows; holds one row at a time, so memory grows
  * with the longest row that the stream really has.
  *
  * Reads the delimited variant (Jelly-Patch, "Delimited variant") and the one frame of an
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
    * @throws org.jellyspark.MalformedPatchException
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

  /** An error at the current row, or in the current frame before its first. */
  def malformed(expected: String, found: String): Nothing =
    throw new MalformedPatchException(file, frameOffset, rowIndex, expected, found)

  private def offset: Long = base + pos

  /** Undelimited input starts with the tag of a row; a frame of 10 bytes starts with the same byte,
    * but then with a tag again, while no options row is 10 bytes long.
    */
  private def isDelimited: Boolean = {
    val tag = PatchWire.lengthTag(PatchWire.FrameRows)
    ensure(3)
    buffer(0) != tag || (limit > 2 && buffer(1) == tag && buffer(2) != tag)
  }

  private def startFrame(): Unit = {
    frameOffset = offset
    rowIndex = -1
    frameEnd = Long.MaxValue
    if (delimited) {
      val length = readVarint("the length of a frame")
      if (length < 0 || length > Int.MaxValue) {
        malformed("a frame of 2147483647 bytes at most", s"${unsigned(length)} bytes")
      }
      frameEnd = offset + length
    }
    inFrame = true
  }

  private def nextInFrame(): Int = {
    while (offset < frameEnd && (delimited || ensure(1))) {
      val tag = readTag()
      if (tag == PatchWire.lengthTag(PatchWire.FrameRows)) {
        rowIndex += 1
        rowBytes = readLength("the row")
        rowAt = pos
        pos += rowBytes
        return Row
      }
      skip(tag, 0)
    }
    inFrame = false
    FrameEnd
  }

  private def readTag(): Int = {
    val tag = readVarint("a field")
    val field = tag >>> 3
    if (field == 0 || field > MaxFieldNumber) malformed("a Protobuf field", s"tag ${unsigned(tag)}")
    tag.toInt
  }

  /** Reads a length and makes that many bytes available. */
  private def readLength(what: String): Int = {
    val length = readVarint(s"the length of $what")
    val left = frameEnd - offset
    if (length < 0 || length > left) {
      malformed(s"$what within its frame, $left bytes at most", s"${unsigned(length)} bytes")
    }
    if (length > MaxRowLength) {
      malformed(s"$what of $MaxRowLength bytes at most", s"$length bytes")
    }
    if (!ensure(length.toInt)) {
      malformed(s"${length} bytes of $what", s"the end of the file after ${limit - pos}")
    }
    length.toInt
  }

  /** Skips a field that the schema does not know. */
  private def skip(tag: Int, depth: Int): Unit = WireFormat.getTagWireType(tag) match {
    case WireFormat.WIRETYPE_VARINT           => readVarint("an unknown field")
    case WireFormat.WIRETYPE_FIXED64          => skipBytes(8)
    case WireFormat.WIRETYPE_FIXED32          => skipBytes(4)
    case WireFormat.WIRETYPE_LENGTH_DELIMITED =>
      val length = readVarint("the length of an unknown field")
      if (length < 0) malformed("the length of an unknown field", s"${unsigned(length)} bytes")
      skipBytes(length)
    case WireFormat.WIRETYPE_START_GROUP if depth < MaxGroupDepth =>
      val end = tag + (WireFormat.WIRETYPE_END_GROUP - WireFormat.WIRETYPE_START_GROUP)
      var inner = readTag()
      while (inner != end) {
        skip(inner, depth + 1)
        inner = readTag()
      }
    case _ => malformed("a row or a field to skip", s"tag ${tag & 0xffffffffL}")
  }

  private def skipBytes(count: Long): Unit = {
    if (count > frameEnd - offset) {
      malformed(
        s"an unknown field within its frame, ${frameEnd - offset} bytes at most",
        s"$count bytes"
      )
    }
    var left = count
    while (left > 0) {
      if (!ensure(1)) malformed(s"$left more bytes of an unknown field", "the end of the file")
      val step = math.min(left, (limit - pos).toLong).toInt
      pos += step
      left -= step
    }
  }

  private def readVarint(what: String): Long = {
    var value = 0L
    var shift = 0
    while (shift < 70) {
      if (offset == frameEnd && inFrame) malformed(what, "the end of the frame")
      if (pos == limit && !ensure(1)) malformed(what, "the end of the file")
      val byte = buffer(pos)
      pos += 1
      value |= (byte & 0x7fL) << shift
      if (byte >= 0) return value
      shift += 7
    }
    malformed(what, "a varint longer than 10 bytes")
  }

  /** Makes `count` bytes available from `pos`, if the stream has them. The buffer grows only as
    * bytes arrive.
    */
  private def ensure(count: Int): Boolean = {
    while (limit - pos < count) {
      if (limit == buffer.length) makeRoom()
      val read =
        try in.read(buffer, limit, buffer.length - limit)
        catch {
          // What decompressors throw where their input is cut off.
          case e: EOFException => malformed("the rest of the compressed file", e.getMessage)
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
  private val MaxFieldNumber = (1 << 29) - 1
  // What protobuf-java allows for messages too.
  private val MaxGroupDepth = 100
  // The buffer is an array, and holds a row whole.
  private val MaxRowLength = 1 << 30
}
