package org.jellyspark.core.formats

import org.jellyspark.core.rows.{Column, Row, RowOp, TransactionGuard}

/** Writes the rows of one patch file in any patch format.
  *
  * A new value in `patch` ends the current patch, unless the previous row was an `END`. The end of
  * the file does not end a patch. [[TransactionGuard]] checks the transactions.
  */
private[jellyspark] final class PatchWriter(encoder: RowEncoder)
    extends EncodingWriter(encoder, Column.ofPatches) {
  private[this] var transactions = new TransactionGuard
  private[this] val endRow = new Row
  endRow.op = RowOp.End

  // Whether the current patch has ended. Initially true, because there is no patch to end.
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

  override def restart(): Unit = {
    super.restart()
    transactions = new TransactionGuard
    ended = true
    lastPatch = Row.NoNumber
  }

  override protected def checkEnd(): Unit = transactions.checkEnd()
}
