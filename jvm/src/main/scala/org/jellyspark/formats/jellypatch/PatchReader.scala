package org.jellyspark.formats.jellypatch

import java.io.InputStream

import org.jellyspark.core._
import org.jellyspark.jelly.{FrameReader, ReadOptions}

/** Reads the rows of one Jelly-Patch file or stream.
  *
  * @param in
  *   the bytes, delimited or not; closed by the caller
  * @param file
  *   what errors call them
  */
private[jellypatch] final class PatchReader(in: InputStream, file: String, options: ReadOptions)
    extends RowReader {
  private[this] val frames = new FrameReader(in, file)
  private[this] val decoder = new PatchDecoder(options)
  private[this] val numbering = new RowNumbering(options.strict)

  override val row = new Row

  override def next(): Boolean = {
    while (true) {
      frames.next() match {
        case FrameReader.Row      => if (decodeRow()) return true
        case FrameReader.FrameEnd =>
          if (decoder.streamType == StreamType.Frame) {
            endPatch()
            return true
          }
        case FrameReader.StreamEnd =>
          orMalformedFrame(numbering.checkEnd())
          return false
      }
    }
    false
  }

  private def decodeRow(): Boolean =
    try {
      val found = decoder.decode(frames.rowBuffer, frames.rowStart, frames.rowLength, row)
      if (found) numbering.number(row)
      found
    } catch { case e: MalformedRowException => frames.malformedRow(e.expected, e.found) }

  private def endPatch(): Unit = {
    row.clear()
    row.op = RowOp.End
    orMalformedFrame(numbering.number(row))
  }

  private def orMalformedFrame(check: => Unit): Unit =
    try check
    catch { case e: MalformedRowException => frames.malformed(e.expected, e.found) }
}
