package org.jellyspark.codec

import java.io.InputStream

/** Reads the rows of one Jelly-Patch file or stream, numbered, in bounded memory.
  *
  * {{{
  * while (reader.next()) use(reader.row, reader.positions)
  * }}}
  *
  * @param in
  *   the bytes, delimited or not; closed by the caller
  * @param file
  *   what errors call them
  */
final class PatchReader(in: InputStream, file: String, options: ReadOptions = ReadOptions()) {
  private[this] val frames = new FrameReader(in, file)
  private[this] val decoder = new PatchDecoder(options)
  private[this] var inTransaction = false

  /** The current row; valid until `next`. */
  val row = new PatchRow

  /** Where the current row stands; valid until `next`. */
  val positions = new RowPositions

  /** Byte offset of the current frame. */
  def frameOffset: Long = frames.frameOffset

  /** How the stream is written, as far as a stream tells; null before its first row. */
  def streamOptions: PatchOptions = decoder.streamOptions

  /** Moves on to the next row; answers whether there is one.
    *
    * @throws org.jellyspark.MalformedPatchException
    *   if the input breaks the format
    */
  def next(): Boolean = {
    while (true) {
      frames.next() match {
        case FrameReader.Row      => if (decodeRow()) return accept()
        case FrameReader.FrameEnd =>
          if (decoder.streamType == StreamType.Frame) {
            row.clear()
            row.op = PatchOp.End
            return accept()
          }
        case FrameReader.StreamEnd =>
          if (options.strict && inTransaction) {
            frames.malformed("the end of a transaction", "the end of the file")
          }
          return false
      }
    }
    false
  }

  private def decodeRow(): Boolean =
    try decoder.decode(frames.rowBuffer, frames.rowStart, frames.rowLength, row)
    catch { case e: MalformedRowException => frames.malformed(e.expected, e.found) }

  private def accept(): Boolean = {
    if (options.strict) checkTransaction()
    positions.next(row.op)
    true
  }

  /** Jelly-Patch, "Transactions". */
  private def checkTransaction(): Unit = row.op match {
    case PatchOp.TransactionStart =>
      if (inTransaction) frames.malformed("the end of a transaction", "TX")
      inTransaction = true
    case PatchOp.TransactionCommit | PatchOp.TransactionAbort =>
      if (!inTransaction) frames.malformed("a transaction", row.op.code + " outside one")
      inTransaction = false
    case PatchOp.End =>
      if (inTransaction) frames.malformed("the end of a transaction", "the end of its patch")
    case _ =>
  }
}
