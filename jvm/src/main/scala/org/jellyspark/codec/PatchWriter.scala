package org.jellyspark.codec

import java.io.OutputStream

import org.jellyspark.UnwritableRowException

/** Writes the rows of one Jelly-Patch file, with the numbers that a reader gave them, if it did.
  *
  * A patch is closed where the patch's number changes between two rows, unless an `END` row just
  * did. Transactions are held to [[TransactionGuard]].
  *
  * @param out
  *   where the bytes go; closed by the caller
  */
final class PatchWriter(out: OutputStream, options: PatchOptions = PatchOptions()) {
  import RowNumbering.NoNumber

  private[this] val encoder = new PatchEncoder(out, options)
  private[this] val transactions = new TransactionGuard
  private[this] val endRow = new PatchRow
  endRow.op = PatchOp.End

  // There is no patch to close before the first row.
  private[this] var ended = true
  private[this] var lastPatch = NoNumber
  private[this] var broken = false

  /** Writes one row.
    *
    * @param patch
    *   ordinal of its patch, or [[RowNumbering.NoNumber]]
    * @param seq
    *   ordinal of the row in the file that it was read from, or [[RowNumbering.NoNumber]]
    * @throws org.jellyspark.UnwritableRowException
    *   if it cannot be written; nothing can follow it
    */
  def write(row: PatchRow, patch: Long = NoNumber, seq: Long = NoNumber): Unit = {
    if (broken) throw new IllegalStateException("the writer failed before")
    broken = true
    try {
      if (patch != lastPatch && !ended) {
        transactions.checkPatchEnd(seq)
        encoder.write(endRow)
      }
      transactions.check(row.op, seq)
      encoder.write(row)
    } catch {
      case e: RefusedException =>
        throw new UnwritableRowException(e.rule, RowText(row, patch, seq))
    }
    lastPatch = patch
    ended = row.op == PatchOp.End
    broken = false
  }

  /** Ends the file: what is still held is written, unless a row failed. That closes no patch, only
    * an `END` row does.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if a transaction is not closed
    */
  def finish(): Unit = if (!broken) {
    try transactions.checkEnd()
    catch { case e: RefusedException => throw new UnwritableRowException(e.rule, null) }
    encoder.finish()
  }
}
