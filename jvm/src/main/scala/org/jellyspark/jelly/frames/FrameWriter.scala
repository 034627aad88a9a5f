package org.jellyspark.jelly.frames

import java.io.OutputStream
import java.nio.charset.StandardCharsets.US_ASCII

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.jelly.wire.{Wire, WireOutput}

/** Packs rows into frames. A delimited frame is held until it ends, as its length comes first; the
  * one frame of undelimited output is written as it grows.
  *
  * @param out
  *   where the bytes go; closed by the caller
  * @param holdsBack
  *   whether a delimited frame is held until the next one ends, as there may be an index to write
  *   into the last
  */
private[jellyspark] final class FrameWriter(
    out: OutputStream,
    delimited: Boolean,
    holdsBack: Boolean
) {
  import FrameWriter._

  private[this] var rows = new WireOutput
  // The frame before, if it is held.
  private[this] var held = new WireOutput
  private[this] var isHeld = false
  private[this] val length = new WireOutput

  /** Rows of the current frame so far. */
  var rowCount: Int = 0

  /** Frames that have ended. */
  var frames: Long = 0

  /** Where the current frame begins in the output, if that is delimited. */
  var offset: Long = 0

  /** The number of bytes of the current frame so far, with its length. */
  def size: Long = sizeOfFrame(rows.size.toLong)

  /** Adds a row whose only field is a message with this content. */
  def row(field: Int, content: WireOutput): Unit = {
    checkSize(content.size)
    startRow(field, content.size)
    rows.put(content)
    endRow()
  }

  /** Adds a row whose only field is an entry of a lookup. */
  def entry(field: Int, id: Int, value: Array[Byte]): Unit = {
    checkSize(value.length)
    val valueSize = if (value.length == 0) 0 else WireOutput.sizeOf(Wire.Entry.Value, value.length)
    startRow(field, WireOutput.sizeOfNumber(Wire.Entry.Id, id) + valueSize)
    rows.number(Wire.Entry.Id, id)
    if (value.length > 0) rows.field(Wire.Entry.Value, value, 0, value.length)
    endRow()
  }

  /** Ends the current frame of delimited output, empty or not. */
  def endFrame(): Unit = {
    writeHeld()
    offset += size
    frames += 1
    rowCount = 0
    val ended = rows
    rows = held
    held = ended
    isHeld = true
    if (!holdsBack) writeHeld()
  }

  /** Writes what is still held.
    *
    * @param points
    *   the restart points, for which the last frame gets an index; none if it gets none
    */
  def finish(points: Seq[RestartPoint]): Unit = {
    if (rowCount > 0 && delimited) endFrame()
    if (points.nonEmpty) putIndex(points)
    writeHeld()
    if (!delimited) rows.writeTo(out)
  }

  private def checkSize(length: Int): Unit = if (length > MaxLength) refuse(WireOutput.SizeRule)

  private def startRow(field: Int, size: Int): Unit = {
    rowCount += 1
    rows.begin(Wire.FrameRows, WireOutput.sizeOf(field, size))
    rows.begin(field, size)
  }

  private def endRow(): Unit = if (!delimited && rows.size >= UndelimitedSize) {
    rows.writeTo(out)
    rows.clear()
  }

  private def writeHeld(): Unit = if (isHeld) {
    length.clear()
    length.varint(held.size)
    length.writeTo(out)
    held.writeTo(out)
    held.clear()
    isHeld = false
  }

  /** Adds the index to the frame that is held, the last, as an entry of its metadata. */
  private def putIndex(points: Seq[RestartPoint]): Unit = {
    import Wire.Metadata.{Key, Value}
    val indexSize = RestartIndex.sizeOf(points.length)
    val entrySize =
      WireOutput.sizeOf(Key, IndexKey.length) + WireOutput.sizeOf(Value, indexSize)
    val before = offset - sizeOfFrame(held.size.toLong)
    val fileLength =
      before + sizeOfFrame(held.size.toLong + WireOutput.sizeOf(Wire.FrameMetadata, entrySize))
    held.begin(Wire.FrameMetadata, entrySize)
    held.field(Key, IndexKey, 0, IndexKey.length)
    held.field(Value, RestartIndex.encode(points, fileLength), 0, indexSize)
  }
}

private object FrameWriter {
  private final val UndelimitedSize = 1 << 13
  // Tags and lengths come on top.
  private final val MaxLength = Int.MaxValue - 64

  private val IndexKey = RestartIndex.Key.getBytes(US_ASCII)

  private def sizeOfFrame(length: Long): Long = WireOutput.sizeOfVarint(length.toInt) + length
}
