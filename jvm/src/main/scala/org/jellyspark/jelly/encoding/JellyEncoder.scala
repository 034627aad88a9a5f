package org.jellyspark.jelly.encoding

import java.io.OutputStream

import org.jellyspark.core.formats.RowEncoder
import org.jellyspark.core.rows.Row
import org.jellyspark.jelly.TermOptions
import org.jellyspark.jelly.frames.{FrameWriter, RestartPoint, Restarts}
import org.jellyspark.jelly.wire.{RowFields, WireOutput}

/** Encodes the rows of one Jelly stream, in order; the bytes are those of Jelly-JVM's own writers,
  * but for restart points.
  *
  * @param out
  *   where the bytes go; closed by the caller
  * @param restartInterval
  *   the bytes after which there is to be a restart point; 0: never
  * @param fields
  *   the numbers of a row's fields
  */
private[jellyspark] abstract class JellyEncoder(
    out: OutputStream,
    options: TermOptions,
    delimited: Boolean,
    restartInterval: Long,
    fields: RowFields
) extends RowEncoder {
  private[this] val restarts = new Restarts(if (delimited) restartInterval else 0)
  private[this] val frame =
    new FrameWriter(out, delimited, holdsBack = delimited && restartInterval > 0)
  // Null before the first row.
  private[this] var optionsMessage: WireOutput = _

  protected final val terms: TermEncoder = new TermEncoder(options, frame, fields)

  /** The content of the message of the row that is being encoded. */
  protected final val message: WireOutput = new WireOutput

  /** Puts the content of the stream's options. */
  protected def putOptions(out: WireOutput): Unit

  /** Encodes one row, whatever frame it is in. */
  protected def encode(row: Row): Unit

  /** Whether the frame ends behind the row just encoded. */
  protected def endsFrame(rowsInFrame: Int): Boolean

  /** Adds to a frame what must not be open where a reader may begin. */
  protected def prepareRestart(): Unit

  /** The restart point of a frame that begins here.
    *
    * @param frames
    *   those before it
    */
  protected def restartPoint(offset: Long, frames: Long): RestartPoint

  final override def write(row: Row): Unit = {
    encode(row)
    if (endsFrame(frame.rowCount)) endFrame()
  }

  override def finish(): Unit = frame.finish(restarts.points)

  /** Whether there was a row, and so the options. */
  protected final def hasStarted: Boolean = optionsMessage ne null

  /** Ends the current frame of delimited output, empty or not. */
  protected final def endFrame(): Unit = {
    restarts.endFrameAt(frame.offset + frame.size)
    if (restarts.isDue) prepareRestart()
    frame.endFrame()
  }

  /** Begins a row of the format's. The options go out with the first one, an empty stream has none;
    * and again at restart points.
    */
  protected final def start(): Unit = {
    val isRestart = restarts.isDue && frame.rowCount == 0
    if (isRestart) {
      restarts.add(restartPoint(frame.offset, frame.frames))
      terms.restart()
    }
    if (isRestart || !hasStarted) putOptionsRow()
  }

  private def putOptionsRow(): Unit = {
    if (!hasStarted) {
      optionsMessage = new WireOutput
      putOptions(optionsMessage)
    }
    frame.row(fields.options, optionsMessage)
  }

  /** Writes a row whose only field is [[message]], which is empty then. */
  protected final def put(field: Int): Unit = {
    frame.row(field, message)
    message.clear()
    terms.endRow()
  }
}

private[jellyspark] object JellyEncoder {

  /** The rule that a graph breaks in a stream of triples. */
  val NoGraphRule: String = "a stream of triples holds no graphs"
}
