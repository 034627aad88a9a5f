package org.jellyspark.core.rows

import org.jellyspark.core.errors.MalformedRowException.malformed

/** Numbers the rows of a patch file: the patch, the transaction and the row, 0-based.
  *
  * @param strict
  *   whether the rules on transactions (Jelly-Patch, "Transactions") are errors
  */
private[jellyspark] final class RowNumbering(strict: Boolean) {
  import RowNumbering._

  private[this] var nextPatch = 0L
  private[this] var lastTransaction = -1L
  private[this] var lastSeq = -1L
  private[this] var open = false

  /** Of the row that was numbered last: its patch. */
  var patch: Long = Row.NoNumber

  /** Its transaction, or [[Row.NoNumber]]. */
  var transaction: Long = Row.NoNumber

  /** Its ordinal. */
  def seq: Long = lastSeq

  /** How many rows, patches (closed ones) and transactions there were so far. */
  def rows: Long = lastSeq + 1

  def patches: Long = nextPatch

  def transactions: Long = lastTransaction + 1

  /** Whether the last transaction is open. */
  def inTransaction: Boolean = open

  /** Goes on where there were this many rows, patches and transactions. */
  def startAt(rows: Long, patches: Long, transactions: Long, inTransaction: Boolean): Unit = {
    lastSeq = rows - 1
    nextPatch = patches
    lastTransaction = transactions - 1
    open = inTransaction
  }

  /** Gives the next row of the file its numbers. An `END` has the number of the patch that it
    * closes, a `TC` or `TA` that of the transaction. A row without a code (null), as a malformed
    * one, counts too.
    *
    * @throws MalformedRowException
    *   if it breaks the rules; it is not counted then
    */
  def number(op: RowOp): Unit = {
    if (strict) check(op)
    lastSeq += 1
    patch = nextPatch
    if (op eq RowOp.TransactionStart) {
      lastTransaction += 1
      open = true
    }
    transaction = if (open) lastTransaction else Row.NoNumber
    if (op eq RowOp.End) nextPatch += 1
    else if ((op eq RowOp.TransactionCommit) || (op eq RowOp.TransactionAbort)) open = false
  }

  /** Statements are about to be numbered by others: gives [[patch]] and [[transaction]] of all of
    * them, and answers the ordinal of the first.
    */
  def startStatements(): Long = {
    patch = nextPatch
    transaction = if (open) lastTransaction else Row.NoNumber
    lastSeq + 1
  }

  /** So many statements were numbered. */
  def endStatements(count: Long): Unit = lastSeq += count

  /** As [[number(op:* number]], for a row that takes them. */
  def number(row: Row): Unit = {
    number(row.op)
    row.seq = seq
    row.patch = patch
    row.transaction = transaction
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
      if (!open) malformed(s"a TX before a ${op.code}", "none")
    case _ =>
  }

  private def checkClosed(found: String): Unit =
    if (open) malformed(OpenTransaction, found)
}

private object RowNumbering {
  private val OpenTransaction = "the transaction's TC or TA"
}
