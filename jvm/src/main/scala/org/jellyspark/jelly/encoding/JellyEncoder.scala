package org.jellyspark.jelly.encoding

import java.io.OutputStream

import org.jellyspark.core.formats.RowEncoder
import org.jellyspark.core.rows.{Row, RowNumbering, RowOp}
import org.jellyspark.jelly.StreamOptions
import org.jellyspark.jelly.frames.{FilterBuilder, FrameWriter, RestartPoint}
import org.jellyspark.jelly.wire.{RowSchema, WireOutput}

/** Encodes the rows of one Jelly stream, in order. Except for restart points, it writes the same
  * bytes as Jelly-JVM's writers.
  *
  * A subclass encodes the rows of its format. For each row it calls [[start]], writes the row's
  * fields to [[message]], and calls [[put]].
  *
  * @param out
  *   the stream to write to; closed by the caller
  * @param splits
  *   whether a frame of delimited output ends after the number of rows that the options say
  * @param fields
  *   the field numbers of a row
  */
private[jellyspark] abstract class JellyEncoder(
    out: OutputStream,
    options: StreamOptions,
    splits: Boolean,
    fields: RowSchema
) extends RowEncoder {
  private[this] val filters =
    if (options.indexColumns.isEmpty || !options.hasRestarts) null
    else new FilterBuilder(options.indexColumns, options.indexFilterBits)
  private[this] val frame =
    new FrameWriter(out, options.delimited, options.restartInterval, filters)
  private[this] val rowsOfFrame =
    if (splits && options.delimited) options.frameSize.toLong else Long.MaxValue
  // The content of the options row. Null before the first row of the first stream.
  private[this] var optionsMessage: WireOutput = _
  private[this] var started = false

  protected final val terms: TermEncoder = new TermEncoder(options.terms, frame, fields, filters)

  /** Numbers the rows in the same way as a reader, for restart points. */
  protected final val numbering: RowNumbering = new RowNumbering(strict = false)

  /** The number of Jelly-RDF's namespace declarations so far. */
  protected final var namespaces: Long = 0L

  /** The content of the row that is being encoded. */
  protected final val message: WireOutput = new WireOutput

  /** Writes the content of the options row. */
  protected def putOptions(out: WireOutput): Unit

  /** Encodes one row. */
  protected def encode(row: Row): Unit

  /** Closes, in the frame before it, whatever must not be open at a restart point, such as a graph.
    */
  protected def prepareRestart(): Unit = ()

  final override def write(row: Row): Unit = {
    encode(row)
    if (frame.rowCount >= rowsOfFrame) endFrame()
  }

  override def finish(): Unit = frame.finish()

  override def restart(): Unit = {
    started = false
    frame.restart()
    terms.startStream()
    numbering.startAt(rows = 0, patches = 0, transactions = 0, inTransaction = false)
    namespaces = 0L
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
      frame.addRestart(restartPoint)
      terms.restart()
    }
    if (isRestart || !hasStarted) putOptionsRow()
  }

  /** The restart point of the frame that begins here. */
  private def restartPoint: RestartPoint = RestartPoint(
    frame.offset,
    frame.frames,
    numbering.rows,
    namespaces,
    numbering.patches,
    numbering.transactions,
    numbering.inTransaction
  )

  private def putOptionsRow(): Unit = {
    if (optionsMessage eq null) {
      optionsMessage = new WireOutput
      putOptions(optionsMessage)
    }
    started = true
    frame.row(fields.options, optionsMessage)
  }

  /** Writes a row whose only field is [[message]], clears [[message]], and counts the row. */
  protected final def put(field: Int, op: RowOp): Unit = {
    put(field)
    numbering.number(op)
  }

  /** Like the other `put`, for a row that readers do not return. */
  protected final def put(field: Int): Unit = {
    frame.row(field, message)
    message.clear()
    terms.endRow()
  }
}
