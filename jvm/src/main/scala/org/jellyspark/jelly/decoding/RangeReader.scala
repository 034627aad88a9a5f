package org.jellyspark.jelly.decoding

import java.io.InputStream

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.rows.{RowNumbering, RowOp}
import org.jellyspark.jelly.frames.{FrameReader, RestartPoint}

/** Reads the rows between two restart points of a Jelly file, or all of a stream, and numbers them.
  *
  * @param in
  *   the bytes from the first point on; closed by the caller
  * @param file
  *   what errors call them
  * @param decoder
  *   a new one
  * @param strict
  *   whether the rules on transactions are errors
  * @param end
  *   the second point; null for the end of the stream
  */
private[jellyspark] final class RangeReader(
    in: InputStream,
    file: String,
    val decoder: JellyDecoder,
    strict: Boolean,
    start: RestartPoint = RestartPoint.Start,
    end: RestartPoint = null
) {
  private[this] val frames =
    new FrameReader(in, file, start.offset, if (end == null) Long.MaxValue else end.offset)

  frames.beforeMove = () => decoder.keepTerms()

  /** The numbers of the row that was read last. */
  val numbering = new RowNumbering(strict)
  numbering.startAt(
    if (decoder.namespacesAreRows) start.rows else start.rows - start.namespaces,
    start.patches,
    start.transactions,
    start.inTransaction
  )

  /** The frame that the row is in, from 0. */
  var frame: Long = start.frames

  /** The number of bytes that the row has on the wire. */
  def rowLength: Int = frames.rowLength

  /** What the row is that was read last; null if it is nothing for the reader, or does not pass the
    * filter.
    */
  private[jelly] var op: RowOp = _

  /** Moves on to the next row that passes the filter; answers what it is, null for the end. What it
    * holds is in the decoder.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if the input breaks the format
    */
  def next(): RowOp = {
    while (advance() && op == null) {}
    op
  }

  /** As [[next]], but moves on by one row only, or the end of a frame: what that is, is [[op]].
    * False for the end of the range.
    */
  private[jelly] def advance(): Boolean = {
    val event = frames.next()
    op = null
    if (event == FrameReader.Row) op = decodeRow()
    else if (event == FrameReader.FrameEnd) op = orMalformedFrame(endFrame())
    else if (end == null) orMalformedFrame(checkStreamEnd())
    else checkRangeEnd()
    if (!decoder.isWanted) op = null
    event != FrameReader.StreamEnd
  }

  /** Adds the rows that come to a batch, up to one that is not plain. */
  private[jelly] def addPlain(batch: BatchBuilder): Unit = {
    val plain = decoder.plainRows
    if (plain != null) {
      val (from, to) = (frames.nextRow, frames.rowLimit)
      plain.read(frames.rowBuffer, from, to, numbering, frame, batch)
      frames.pass(plain.end, plain.count)
    }
  }

  /** After an error: passes over the rest of the frames.
    *
    * @throws org.jellyspark.MalformedInputException
    *   if they do not end at the next restart point
    */
  def skipToEnd(): Unit = frames.skipToEnd()

  private def decodeRow(): RowOp =
    try {
      val decoded = decoder.decode(frames.rowBuffer, frames.rowStart, frames.rowLength)
      if (decoded != null) numbering.number(decoded)
      decoded
    } catch { case e: MalformedRowException => frames.malformedRow(e.expected, e.found) }

  private def endFrame(): RowOp = {
    val ended = decoder.endFrame()
    if (ended != null) numbering.number(ended)
    frame += 1
    ended
  }

  private def checkStreamEnd(): Unit = {
    numbering.checkEnd()
    decoder.checkEnd()
  }

  /** Proves that the index is right here: that the counts are, and that what follows has the same
    * options.
    */
  private def checkRangeEnd(): Unit = {
    orMalformedFrame(decoder.checkRestart())
    val namespaces = start.namespaces + decoder.namespaces
    val found = RestartPoint(
      end.offset,
      frame,
      if (decoder.namespacesAreRows) numbering.rows else numbering.rows + namespaces,
      namespaces,
      numbering.patches,
      numbering.transactions,
      numbering.inTransaction
    )
    if (found != end) {
      val expected = s"what the index says is before it: ${end.counts}"
      throw MalformedInputException.inFrame(file, end.offset, -1, expected, found.counts)
    }
    frames.passEnd()
    if (frames.next() == FrameReader.Row) {
      try decoder.checkOptions(frames.rowBuffer, frames.rowStart, frames.rowLength)
      catch { case e: MalformedRowException => frames.malformedRow(e.expected, e.found) }
    } else frames.malformed("the options row first", "none")
  }

  private def orMalformedFrame[A](check: => A): A =
    try check
    catch { case e: MalformedRowException => frames.malformed(e.expected, e.found) }
}
