package org.jellyspark.formats.jellypatch

import java.io.InputStream

import org.jellyspark.core._
import org.jellyspark.jelly.{JellyReader, ReadOptions}

/** Reads the rows of one Jelly-Patch file or stream. */
private[jellypatch] final class PatchReader private (
    in: InputStream,
    file: String,
    decoder: PatchDecoder,
    strict: Boolean
) extends JellyReader(in, file, decoder) {

  def this(in: InputStream, file: String, options: ReadOptions) =
    this(in, file, new PatchDecoder(options), options.strict)

  private[this] val numbering = new RowNumbering(strict)

  override protected def number(): Unit = numbering.number(row)

  /** In a FRAME stream, a frame is a patch. */
  override protected def endFrame(): Boolean = {
    val isPatch = decoder.streamType == StreamType.Frame
    if (isPatch) {
      row.clear()
      row.op = RowOp.End
      numbering.number(row)
    }
    isPatch
  }

  override protected def endStream(): Unit = numbering.checkEnd()
}
