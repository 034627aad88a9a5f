package org.jellyspark.codec

/** The writer's rule that a transaction ends within its patch (Jelly-Patch, "Transactions").
  *
  * Rows that a reader numbered can hold transactions that were never closed, as their file did.
  * They are held to their numbers instead: so such a file can be written again, but no end can get
  * lost.
  */
private[codec] final class TransactionGuard {
  import RowNumbering.NoNumber

  private[this] var open = false
  // The number of the open transaction, if its TX has one.
  private[this] var transaction = NoNumber

  /** Checks that a row may come next.
    *
    * @param tx
    *   ordinal of its transaction, or [[RowNumbering.NoNumber]]
    * @throws RefusedException
    *   if it may not
    */
  def check(op: PatchOp, tx: Long): Unit =
    if (op == PatchOp.TransactionStart) {
      checkClosed()
      open = true
      transaction = tx
    } else if (open) {
      if (transaction != NoNumber && tx != transaction) {
        RefusedException.refuse(
          s"transaction $transaction must be closed by TC or TA before other rows"
        )
      }
      if (op == PatchOp.End) checkClosed()
      else if (op == PatchOp.TransactionCommit || op == PatchOp.TransactionAbort) open = false
    }

  /** Checks that the patch, or the input, may end here.
    *
    * @throws RefusedException
    *   if a transaction without a number is open
    */
  def checkClosed(): Unit =
    if (open && transaction == NoNumber) {
      RefusedException.refuse(
        "a transaction must be closed by TC or TA before the next TX and the patch's end"
      )
    }
}
