package org.jellyspark.jelly.frames

import java.io.OutputStream

import scala.collection.mutable

import org.jellyspark.core.bytes.Varint
import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.jelly.wire.{Wire, WireOutput}

/** Writes rows in frames.
  *
  * A delimited frame remains in memory until it ends, because its length is written before it. If
  * there may be restart points, it remains until the next frame ends, because the last frame
  * contains their index. The single frame of undelimited output is written while it grows.
  *
  * @param out
  *   the stream to write to; closed by the caller
  * @param restartInterval
  *   the number of bytes between restart points; 0 for none. Undelimited output has none.
  * @param filters
  *   collects the terms of each restart range; null if the index has no filters
  */
private[jellyspark] final class FrameWriter(
    out: OutputStream,
    delimited: Boolean,
    restartInterval: Long,
    filters: FilterBuilder = null
) {
  import FrameWriter._

  private[this] var rows = new WireOutput
  // The frame before the current one, if it is held back.
  private[this] var held = new WireOutput
  private[this] var isHeld = false
  private[this] val length = new WireOutput
  private[this] val hasRestarts = delimited && restartInterval > 0
  private[this] val restarts = mutable.ArrayBuffer.empty[RestartPoint]
  // The byte offset of the last restart point, or of the beginning of the file.
  private[this] var lastRestart = 0L
  private[this] var ended = 0L
  private[this] var start = 0L
  private[this] var rowsInFrame = 0L

  /** The number of rows of the current frame so far, including lookup entries. */
  def rowCount: Long = rowsInFrame

  /** The number of frames that have ended. */
  def frames: Long = ended

  /** The byte offset of the current frame in the output, which must be delimited. */
  def offset: Long = start

  /** Whether the next row must begin with a restart point. */
  def isRestartDue: Boolean = rowsInFrame == 0 && isRestartDueAt(start)

  /** Whether a frame that follows the current one must begin with a restart point. */
  def isRestartDueNext: Boolean = isRestartDueAt(start + size)

  /** Records the restart point of the frame that begins here. */
  def addRestart(point: RestartPoint): Unit = {
    if (filters != null) filters.endRange()
    restarts += point
    lastRestart = point.offset
  }

  /** Adds a row whose only field is a message with this content. */
  def row(field: Int, content: WireOutput): Unit = {
    checkSize(content.size)
    startRow(field, content.size)
    rows.put(content)
    endRow()
  }

  /** Adds a row whose only field is an entry of a lookup.
    *
    * @param id
    *   the encoded id: 0 for the last one plus one
    */
  def entry(field: Int, id: Int, value: Array[Byte]): Unit = {
    checkSize(value.length)
    val valueSize = if (value.length == 0) 0 else WireOutput.sizeOf(Wire.Entry.Value, value.length)
    startRow(field, WireOutput.sizeOfNumber(Wire.Entry.Id, id) + valueSize)
    rows.number(Wire.Entry.Id, id)
    if (value.length > 0) rows.field(Wire.Entry.Value, value, 0, value.length)
    endRow()
  }

  /** Ends the current frame of delimited output, even if it is empty. */
  def endFrame(): Unit = {
    writeHeld()
    start += size
    ended += 1
    rowsInFrame = 0L
    val free = held
    held = rows
    rows = free
    isHeld = true
    if (!hasRestarts) writeHeld()
  }

  /** Ends the output. Writes what is held back, with the index of the restart points if there are
    * any.
    */
  def finish(): Unit = {
    if (rowsInFrame > 0 && delimited) endFrame()
    if (restarts.nonEmpty) putIndex()
    writeHeld()
    if (!delimited) rows.writeTo(out)
  }

  /** Begins another output on the same stream. */
  def restart(): Unit = {
    rows.clear()
    restarts.clear()
    if (filters != null) filters.clear()
    lastRestart = 0L
    ended = 0L
    start = 0L
    rowsInFrame = 0L
  }

  private def isRestartDueAt(offset: Long): Boolean = hasRestarts &&
    offset - lastRestart >= restartInterval && RestartIndex.hasRoom(restarts.length)

  /** The number of bytes of the current frame so far, including its length. */
  private def size: Long = sizeOfFrame(rows.size.toLong)

  private def checkSize(length: Int): Unit = if (length > MaxLength) refuse(WireOutput.SizeRule)

  private def startRow(field: Int, size: Int): Unit = {
    rowsInFrame += 1
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

  /** Adds the filters and the index to the last frame, which is held back, as entries of its
    * metadata.
    */
  private def putIndex(): Unit = {
    val before = start - sizeOfFrame(held.size.toLong)
    if (filters != null) putFilters()
    val indexSize = RestartIndex.sizeOf(restarts.length)
    val fieldStart = RestartIndex.fieldStart(RestartIndex.Key, indexSize)
    val fileLength = before + sizeOfFrame(held.size.toLong + fieldStart.length + indexSize)
    held.put(fieldStart, 0, fieldStart.length)
    held.put(RestartIndex.encode(restarts.toSeq, fileLength), 0, indexSize)
  }

  private def putFilters(): Unit = {
    filters.endRange()
    val value = filters.encode(restarts.toSeq)
    val fieldStart = RestartIndex.fieldStart(TermFilters.Key, value.length)
    held.put(fieldStart, 0, fieldStart.length)
    held.put(value, 0, value.length)
  }
}

private object FrameWriter {
  // The number of bytes after which collected rows of undelimited output are written.
  private final val UndelimitedSize = 1 << 13
  // The longest content of a row, in bytes. Leaves room in an array for tags and lengths.
  private final val MaxLength = Int.MaxValue - 64

  private def sizeOfFrame(length: Long): Long = Varint.sizeOf(length.toInt) + length
}
