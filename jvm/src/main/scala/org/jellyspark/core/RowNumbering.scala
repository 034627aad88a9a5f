package org.jellyspark.core

import MalformedRowException.malformed

/** Numbers the rows of a patch file: the patch, the transaction and the row, 0-based.
  *
  * @param strict
  *   whether the rules on transactions (Jelly-Patch, "Transactions") are errors
  */
private[jellyspark] final class RowNumbering(strict: Boolean) {
  import RowNumbering._

  private[this] var patch = 0L
  private[this] var lastTransaction = -1L
  private[this] var lastSeq = -1L
  private[this] var inTransaction = false

  /** Gives the next row of the file its numbers. An `END` has the number of the patch that it
    * closes, a `TC` or `TA` that of the transaction. A row without a code, as a malformed one,
    * counts too.
    *
    * @throws MalformedRowException
    *   if it breaks the rules; it is not counted then
    */
  def number(row: Row): Unit = {
    if (strict) check(row.op)
    lastSeq += 1
    row.seq = lastSeq
    row.patch = patch
    if (row.op == RowOp.TransactionStart) {
      lastTransaction += 1
      inTransaction = true
    }
    row.transaction = if (inTransaction) lastTransaction else Row.NoNumber
    row.op match {
      case RowOp.End                                        => patch += 1
      case RowOp.TransactionCommit | RowOp.TransactionAbort => inTransaction = false
      case _                                                =>
    }
  }

  /** Checks that the input may end.
    *
    * @throws MalformedRowException
    *   if it may not
    */
  def checkEnd(): Unit = if (strict) checkClosed("the end of the input")

  private def check(op: RowOp): Unit = op match {
    case RowOp.TransactionStart                           => checkClosed(op.code)
    case RowOp.End                                        => checkClosed("the end of the patch")
    case RowOp.TransactionCommit | RowOp.TransactionAbort =>
      if (!inTransaction) malformed(s"a TX before a ${op.code}", "none")
    case _ =>
  }

  private def checkClosed(found: String): Unit =
    if (inTransaction) malformed(OpenTransaction, found)
}

private object RowNumbering {
  private val OpenTransaction = "the transaction's TC or TA"
}
