package org.jellyspark.core.formats

import org.jellyspark.core.rows.{Column, Row, RowOp, TransactionGuard}

/** Writes the rows of one patch file, in whatever patch format.
  *
  * A patch is closed where the patch's number changes between two rows, unless an `END` row just
  * did; the end of the file closes none. Transactions are held to [[TransactionGuard]].
  */
private[jellyspark] final class PatchWriter(encoder: RowEncoder)
    extends EncodingWriter(encoder, Column.ofPatches) {
  private[this] val transactions = new TransactionGuard
  private[this] val endRow = new Row
  endRow.op = RowOp.End

  // There is no patch to close before the first row.
  private[this] var ended = true
  private[this] var lastPatch = Row.NoNumber

  override protected def encode(row: Row): Unit = {
    if (row.patch != lastPatch && !ended) {
      transactions.checkPatchEnd(row.seq)
      encoder.write(endRow)
    }
    transactions.check(row.op, row.seq)
    encoder.write(row)
    lastPatch = row.patch
    ended = row.op == RowOp.End
  }

  override protected def checkEnd(): Unit = transactions.checkEnd()
}
