package org.jellyspark.codec

import java.io.InputStream

/** Reads the rows of one Jelly-Patch file or stream, numbered, in bounded memory.
  *
  * {{{
  * while (reader.next()) use(reader.row, reader.numbering)
  * }}}
  *
  * @param in
  *   the bytes, delimited or not; closed by the caller
  * @param file
  *   what errors call them
  */
final class PatchReader(in: InputStream, file: String, options: ReadOptions = ReadOptions()) {
  import PatchReader._

  private[this] val frames = new FrameReader(in, file)
  private[this] val decoder = new PatchDecoder(options)

  /** The current row; valid until `next`. */
  val row = new PatchRow

  /** Where the current row stands; valid until `next`. */
  val numbering = new RowNumbering

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
            if (inStrictTransaction) frames.malformed(OpenTransaction, PatchEnd)
            row.clear()
            row.op = PatchOp.End
            return accept()
          }
        case FrameReader.StreamEnd =>
          if (inStrictTransaction) frames.malformed(OpenTransaction, "the end of the input")
          return false
      }
    }
    false
  }

  private def inStrictTransaction: Boolean = options.strict && numbering.inTransaction

  private def decodeRow(): Boolean =
    try decoder.decode(frames.rowBuffer, frames.rowStart, frames.rowLength, row)
    catch { case e: MalformedRowException => frames.malformedRow(e.expected, e.found) }

  private def accept(): Boolean = {
    if (options.strict) checkTransaction()
    numbering.next(row.op)
    true
  }

  /** Jelly-Patch, "Transactions". */
  private def checkTransaction(): Unit = row.op match {
    case PatchOp.TransactionStart =>
      if (numbering.inTransaction) frames.malformedRow(OpenTransaction, row.op.code)
    case PatchOp.TransactionCommit | PatchOp.TransactionAbort =>
      if (!numbering.inTransaction) frames.malformedRow(s"a TX before a ${row.op.code}", "none")
    case PatchOp.End => if (numbering.inTransaction) frames.malformedRow(OpenTransaction, PatchEnd)
    case _           =>
  }
}

private object PatchReader {
  private val OpenTransaction = "the transaction's TC or TA"
  private val PatchEnd = "the end of the patch"
}
