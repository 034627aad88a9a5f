package org.jellyspark.core.rows

import org.jellyspark.core.errors.RefusedException

/** Checks the rules on transactions in rows to be written (Jelly-Patch, "Transactions"): a
  * transaction must be closed before the next one begins and before its patch ends.
  *
  * Some files break the rules, and a reader that is not strict accepts them. It must be possible to
  * write their rows again, so the rows of an unchanged file are exempt: see [[UnchangedFile]].
  */
private[jellyspark] final class TransactionGuard {
  private[this] var open = false
  private[this] val file = new UnchangedFile

  /** Checks that a row may come next.
    *
    * @param seq
    *   the ordinal of the row in the file that it was read from, or [[Row.NoNumber]]
    * @throws RefusedException
    *   if the row breaks a rule
    */
  def check(op: RowOp, seq: Long): Unit = {
    val isUnchanged = file.add(seq)
    op match {
      case RowOp.TransactionStart =>
        if (open && !isUnchanged) refuseOpen()
        open = true
      case RowOp.TransactionCommit | RowOp.TransactionAbort =>
        if (!open && !isUnchanged) RefusedException.refuse(s"${op.code} needs a TX before it")
        open = false
      case RowOp.End =>
        if (open && !isUnchanged) refuseOpen()
        open = false
      case _ =>
    }
  }

  /** Ends the patch before the row with this `seq`, and checks that it may end there.
    *
    * @throws RefusedException
    *   if a transaction is open, unless the rows are those of an unchanged file
    */
  def checkPatchEnd(seq: Long): Unit = {
    if (open && !file.isNext(seq)) refuseOpen()
    open = false
  }

  /** Checks that the input may end here.
    *
    * @throws RefusedException
    *   if a transaction is open, unless the rows are those of an unchanged file
    */
  def checkEnd(): Unit = if (open && !file.isUnchanged) refuseOpen()

  private def refuseOpen(): Nothing = RefusedException.refuse(
    "a transaction must be closed by TC or TA before the next TX and before the end of the patch"
  )
}

/** Tells whether rows are those of a file, exactly as a reader returned them.
  *
  * A reader numbers the rows of a file from 0, so the `seq` of an unchanged file counts up from 0
  * without a gap. After a gap, or without `seq`, rows may have been dropped in between. A row with
  * the `seq` 0 begins another file.
  */
private[rows] final class UnchangedFile {
  private[this] var unchanged = true
  private[this] var last = -1L

  /** Whether the rows since the last one with the `seq` 0 are those of an unchanged file. */
  def isUnchanged: Boolean = unchanged

  /** Whether a row with this `seq`, or [[Row.NoNumber]], continues an unchanged file. */
  def isNext(seq: Long): Boolean = unchanged && seq != Row.NoNumber && seq == last + 1

  /** Adds the next row, and returns whether it continues an unchanged file. */
  def add(seq: Long): Boolean = {
    val continues = isNext(seq)
    unchanged = continues || seq == 0
    last = seq
    continues
  }
}
