package org.jellyspark.core.rows

import org.jellyspark.core.errors.RefusedException

/** The writer's rules on transactions (Jelly-Patch, "Transactions"): each is closed in its patch.
  *
  * Rows that follow each other in `seq` from 0 on, without a gap, are as a reader gave them. They
  * may break the rules, as their file did, so that it can be written again: nothing got lost on the
  * way.
  */
private[jellyspark] final class TransactionGuard {
  private[this] var open = false
  private[this] var lastSeq = -1L
  // Whether the rows so far are as a reader gave them.
  private[this] var gapless = true

  /** Checks that a row may come next.
    *
    * @param seq
    *   ordinal of the row in the file that it was read from, or [[Row.NoNumber]]
    * @throws RefusedException
    *   if it may not
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
    // The rows of another file may begin.
    gapless = follows || seq == 0
    lastSeq = seq
  }

  /** Checks that the patch may end before a row.
    *
    * @throws RefusedException
    *   if it may not
    */
  def checkPatchEnd(seq: Long): Unit = if (open && !isNext(seq)) refuseOpen()

  /** Checks that the input may end.
    *
    * @throws RefusedException
    *   if it may not
    */
  def checkEnd(): Unit = if (open && !gapless) refuseOpen()

  private def isNext(seq: Long): Boolean = gapless && seq != Row.NoNumber && seq == lastSeq + 1

  private def refuseOpen(): Nothing = RefusedException.refuse(
    "a transaction must be closed by TC or TA before the next TX and the patch's end"
  )
}
