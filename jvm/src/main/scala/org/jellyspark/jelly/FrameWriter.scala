package org.jellyspark.jelly

import java.io.{ByteArrayOutputStream, OutputStream}

import com.google.protobuf.CodedOutputStream
import eu.neverblink.protoc.java.runtime.ProtoMessage
import org.jellyspark.core.RefusedException

/** Packs rows into frames. A delimited frame is held until it ends, as its length comes first; the
  * one frame of undelimited output is written as it grows.
  *
  * @param out
  *   where the bytes go; closed by the caller
  */
private[jellyspark] final class FrameWriter(out: OutputStream, delimited: Boolean) {
  import Wire.lengthTag

  private[this] val frame = new FrameBuffer
  private[this] val rows =
    CodedOutputStream.newInstance(if (delimited) frame else out, FrameWriter.BufferSize)

  /** Rows of the current frame so far. */
  var rowCount: Int = 0

  /** Adds a row whose only field is the message `message`. */
  def row(field: Int, message: ProtoMessage[_]): Unit = {
    val size = message.getSerializedSize
    startRow(field, size)
    message.writeTo(rows)
  }

  /** Adds a row whose only field is a message of `size` bytes, which `write` writes. */
  def row(field: Int, size: Int)(write: CodedOutputStream => Unit): Unit = {
    startRow(field, size)
    write(rows)
  }

  private def startRow(field: Int, size: Int): Unit = {
    rowCount += 1
    rows.writeUInt32NoTag(lengthTag(Wire.FrameRows))
    rows.writeUInt32NoTag(FrameWriter.sizeOf(field, size))
    rows.writeUInt32NoTag(lengthTag(field))
    rows.writeUInt32NoTag(size)
  }

  /** Ends the current frame and writes it, empty or not. Undelimited output has no frames to end.
    */
  def endFrame(): Unit = {
    if (delimited) {
      rows.flush()
      val length = CodedOutputStream.newInstance(out, FrameWriter.LengthBufferSize)
      length.writeUInt32NoTag(frame.size)
      length.flush()
      frame.moveTo(out)
    }
    rowCount = 0
  }

  /** Hands what is buffered of undelimited output on. */
  def flush(): Unit = if (!delimited) rows.flush()
}

private[jellyspark] object FrameWriter {
  private val BufferSize = 1 << 13
  private val LengthBufferSize = 8
  // A buffer that one big frame has grown is let go of, not kept for small ones.
  val KeptBuffer: Int = 1 << 22

  /** Size of a field that is a message of `size` bytes, with its tag and length. */
  def sizeOf(field: Int, size: Int): Int =
    CodedOutputStream.computeTagSize(field) + CodedOutputStream.computeUInt32SizeNoTag(size) + size
}

/** The bytes of a frame, handed over without a copy. */
private final class FrameBuffer extends ByteArrayOutputStream(1 << 16) {

  override def write(bytes: Array[Byte], start: Int, length: Int): Unit =
    if (length > Int.MaxValue - 8 - count) {
      RefusedException.refuse(
        "a frame must stay under 2 GiB: make frames that end sooner"
      )
    } else super.write(bytes, start, length)

  def moveTo(out: OutputStream): Unit = {
    out.write(buf, 0, count)
    count = 0
    if (buf.length > FrameWriter.KeptBuffer) buf = new Array[Byte](1 << 16)
  }
}
