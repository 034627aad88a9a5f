package org.jellyspark.core.rows

import org.jellyspark.core.errors.MalformedRowException.malformed

/** Numbers the rows of a patch file: determines the 0-based ordinals of each row, its patch and its
  * transaction.
  *
  * @param strict
  *   whether violations of the rules on transactions (Jelly-Patch, "Transactions") are errors
  */
private[jellyspark] final class RowNumbering(strict: Boolean) {
  import RowNumbering._

  private[this] var nextPatch = 0L
  private[this] var lastTransaction = -1L
  private[this] var lastSeq = -1L
  private[this] var open = false
  private[this] var atStart = true

  /** The ordinal of the patch of the last numbered row. */
  var patch: Long = Row.NoNumber

  /** The ordinal of the transaction of the last numbered row; [[Row.NoNumber]] outside a
    * transaction.
    */
  var transaction: Long = Row.NoNumber

  /** The ordinal of the last numbered row. */
  def seq: Long = lastSeq

  /** The number of rows so far. */
  def rows: Long = lastSeq + 1

  /** The number of closed patches so far. */
  def patches: Long = nextPatch

  /** The number of transactions so far, including an open one. */
  def transactions: Long = lastTransaction + 1

  /** Whether the last transaction is open. */
  def inTransaction: Boolean = open

  /** Whether no row since [[startAt]] has begun or ended a transaction or a patch: the one that is
    * open, if any, is the one that was open there.
    */
  def isAtStart: Boolean = atStart

  /** Continues after the given numbers of rows, closed patches and transactions. */
  def startAt(rows: Long, patches: Long, transactions: Long, inTransaction: Boolean): Unit = {
    lastSeq = rows - 1
    nextPatch = patches
    lastTransaction = transactions - 1
    open = inTransaction
    atStart = true
  }

  /** Numbers the next row of the file. An `END` belongs to the patch that it closes, and a `TC` or
    * `TA` to the transaction that it closes. A transaction that is still open at an `END` ends
    * there, because a transaction is part of one patch (Jelly-Patch, "Transactions").
    *
    * @param op
    *   the op of the row; null for a malformed row, which is also counted
    * @throws MalformedRowException
    *   if `strict` is set and the row breaks a rule; the row is then not counted
    */
  def number(op: RowOp): Unit = {
    if (strict) check(op)
    lastSeq += 1
    patch = nextPatch
    if (op eq RowOp.TransactionStart) {
      lastTransaction += 1
      open = true
      atStart = false
    }
    transaction = if (open) lastTransaction else Row.NoNumber
    if (op eq RowOp.End) {
      nextPatch += 1
      close()
    } else if ((op eq RowOp.TransactionCommit) || (op eq RowOp.TransactionAbort)) close()
  }

  /** Begins a sequence of statements that the caller numbers itself. Sets [[patch]] and
    * [[transaction]], which are the same for all of them.
    *
    * @return
    *   the ordinal of the first statement
    */
  def startStatements(): Long = {
    patch = nextPatch
    transaction = if (open) lastTransaction else Row.NoNumber
    lastSeq + 1
  }

  /** Ends the sequence and counts its statements. */
  def endStatements(count: Long): Unit = lastSeq += count

  /** Numbers a row by its op, and sets the numbers in the row. */
  def number(row: Row): Unit = {
    number(row.op)
    row.seq = seq
    row.patch = patch
    row.transaction = transaction
  }

  /** Checks that the input may end here.
    *
    * @throws MalformedRowException
    *   if a transaction is open and `strict` is set
    */
  def checkEnd(): Unit = if (strict) checkClosed("the end of the input")

  private def close(): Unit = {
    open = false
    atStart = false
  }

  private def check(op: RowOp): Unit = op match {
    case RowOp.TransactionStart                           => checkClosed(op.code)
    case RowOp.End                                        => checkClosed("the end of the patch")
    case RowOp.TransactionCommit | RowOp.TransactionAbort =>
      if (!open) malformed(s"a TX before a ${op.code}", "no open transaction")
    case _ =>
  }

  private def checkClosed(found: String): Unit =
    if (open) malformed(OpenTransaction, found)
}

private object RowNumbering {
  private val OpenTransaction = "the transaction's TC or TA"
}
