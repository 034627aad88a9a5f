package org.jellyspark.jelly.encoding

import java.io.OutputStream

import org.jellyspark.core.formats.RowEncoder
import org.jellyspark.core.rows.Row
import org.jellyspark.jelly.TermOptions
import org.jellyspark.jelly.frames.{FrameWriter, RestartPoint}
import org.jellyspark.jelly.wire.{RowFields, WireOutput}

/** Encodes the rows of one Jelly stream, in order. Except for restart points, it writes the same
  * bytes as Jelly-JVM's writers.
  *
  * A subclass encodes the rows of its format. For each row it calls [[start]], writes the row's
  * fields to [[message]], and calls [[put]].
  *
  * @param out
  *   the stream to write to; closed by the caller
  * @param restartInterval
  *   the number of bytes between restart points; 0 for none. Undelimited output has none.
  * @param fields
  *   the field numbers of a row
  */
private[jellyspark] abstract class JellyEncoder(
    out: OutputStream,
    options: TermOptions,
    delimited: Boolean,
    restartInterval: Long,
    fields: RowFields
) extends RowEncoder {
  private[this] val frame = new FrameWriter(out, delimited, restartInterval)
  // The content of the options row. Null before the first row of the first stream.
  private[this] var optionsMessage: WireOutput = _
  private[this] var started = false

  protected final val terms: TermEncoder = new TermEncoder(options, frame, fields)

  /** The content of the row that is being encoded. */
  protected final val message: WireOutput = new WireOutput

  /** Writes the content of the options row. */
  protected def putOptions(out: WireOutput): Unit

  /** Encodes one row. */
  protected def encode(row: Row): Unit

  /** Whether the frame ends after the row that was just encoded.
    *
    * @param rowsInFrame
    *   the number of rows in the frame, including options and lookup entries
    */
  protected def endsFrame(rowsInFrame: Long): Boolean

  /** Closes, in the frame before it, whatever must not be open at a restart point, such as a graph.
    */
  protected def prepareRestart(): Unit

  /** The restart point of a frame that begins here.
    *
    * @param offset
    *   the byte offset of the frame
    * @param frames
    *   the number of frames before it
    */
  protected def restartPoint(offset: Long, frames: Long): RestartPoint

  final override def write(row: Row): Unit = {
    encode(row)
    if (endsFrame(frame.rowCount)) endFrame()
  }

  override def finish(): Unit = frame.finish()

  override def restart(): Unit = {
    started = false
    frame.restart()
    terms.startStream()
  }

  /** Whether the options row has been written, which happens with the first row. */
  protected final def hasStarted: Boolean = started

  /** Ends the current frame of delimited output, even if it is empty. */
  protected final def endFrame(): Unit = {
    if (frame.isRestartDueNext) prepareRestart()
    frame.endFrame()
  }

  /** Begins a row of the format. Writes the options row before the first row, so that an empty
    * stream has none, and again at each restart point.
    */
  protected final def start(): Unit = {
    val isRestart = frame.isRestartDue
    if (isRestart) {
      frame.addRestart(restartPoint(frame.offset, frame.frames))
      terms.restart()
    }
    if (isRestart || !hasStarted) putOptionsRow()
  }

  private def putOptionsRow(): Unit = {
    if (optionsMessage eq null) {
      optionsMessage = new WireOutput
      putOptions(optionsMessage)
    }
    started = true
    frame.row(fields.options, optionsMessage)
  }

  /** Writes a row whose only field is [[message]], and clears [[message]]. */
  protected final def put(field: Int): Unit = {
    frame.row(field, message)
    message.clear()
    terms.endRow()
  }
}
