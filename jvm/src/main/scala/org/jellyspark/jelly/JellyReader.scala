package org.jellyspark.jelly

import java.io.InputStream

import org.jellyspark.core._

/** Reads the rows of one Jelly file or stream: frames through a decoder.
  *
  * @param in
  *   the bytes, delimited or not; closed by the caller
  * @param file
  *   what errors call them
  * @param decoder
  *   a new one
  */
private[jellyspark] abstract class JellyReader(
    in: InputStream,
    file: String,
    decoder: JellyDecoder[_]
) extends RowReader {
  private[this] val frames = new FrameReader(in, file)

  final override val row = new Row

  /** Numbers the row that was read.
    *
    * @throws MalformedRowException
    *   if it may not come here
    */
  protected def number(): Unit

  /** Takes the end of a frame; answers whether it is a row of its own, now in `row`.
    *
    * @throws MalformedRowException
    *   if the frame may not end here
    */
  protected def endFrame(): Boolean

  /** Checks that the stream may end.
    *
    * @throws MalformedRowException
    *   if it may not
    */
  protected def endStream(): Unit

  final override def next(): Boolean = {
    while (true) {
      frames.next() match {
        case FrameReader.Row       => if (decodeRow()) return true
        case FrameReader.FrameEnd  => if (orMalformedFrame(endFrame())) return true
        case FrameReader.StreamEnd =>
          orMalformedFrame(endStream())
          return false
      }
    }
    false
  }

  private def decodeRow(): Boolean =
    try {
      val found = decoder.decode(frames.rowBuffer, frames.rowStart, frames.rowLength, row)
      if (found) number()
      found
    } catch { case e: MalformedRowException => frames.malformedRow(e.expected, e.found) }

  private def orMalformedFrame[A](check: => A): A =
    try check
    catch { case e: MalformedRowException => frames.malformed(e.expected, e.found) }
}
