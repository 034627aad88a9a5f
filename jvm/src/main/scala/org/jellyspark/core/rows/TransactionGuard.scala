package org.jellyspark.core.rows

import org.jellyspark.core.errors.RefusedException

/** Checks the rules on transactions in rows to be written (Jelly-Patch, "Transactions"): a
  * transaction must be closed before the next one begins and before its patch ends.
  *
  * Rows whose `seq` counts up from 0 without a gap are a file exactly as it was read. They may
  * break the rules if the file did, because every file that can be read can be written again. In
  * other rows, a violation means that rows were lost or mixed up on the way.
  */
private[jellyspark] final class TransactionGuard {
  private[this] var open = false
  private[this] var lastSeq = -1L
  // Whether the `seq` of the rows so far counts up from 0 without a gap.
  private[this] var gapless = true

  /** Checks that a row may come next.
    *
    * @param seq
    *   the ordinal of the row in the file that it was read from, or [[Row.NoNumber]]
    * @throws RefusedException
    *   if the row breaks a rule
    */
  def check(op: RowOp, seq: Long): Unit = {
    val follows = isNext(seq)
    op match {
      case RowOp.TransactionStart =>
        if (open && !follows) refuseOpen()
        open = true
      case RowOp.TransactionCommit | RowOp.TransactionAbort =>
        if (!open && !follows) RefusedException.refuse(s"${op.code} needs a TX before it")
        open = false
      case RowOp.End => if (open && !follows) refuseOpen()
      case _         =>
    }
    // A 0 begins another file.
    gapless = follows || seq == 0
    lastSeq = seq
  }

  /** Checks that the patch may end before the row with this `seq`.
    *
    * @throws RefusedException
    *   if a transaction is open, unless the rows are a file as it was read
    */
  def checkPatchEnd(seq: Long): Unit = if (open && !isNext(seq)) refuseOpen()

  /** Checks that the input may end here.
    *
    * @throws RefusedException
    *   if a transaction is open, unless the rows are a file as it was read
    */
  def checkEnd(): Unit = if (open && !gapless) refuseOpen()

  private def isNext(seq: Long): Boolean = gapless && seq != Row.NoNumber && seq == lastSeq + 1

  private def refuseOpen(): Nothing = RefusedException.refuse(
    "a transaction must be closed by TC or TA before the next TX and before the end of the patch"
  )
}
