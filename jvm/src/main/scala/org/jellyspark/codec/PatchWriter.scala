package org.jellyspark.codec

import java.io.OutputStream

import org.jellyspark.UnwritableRowException

/** Writes the rows of one Jelly-Patch file, with the numbers that a reader gave them, if it did.
  *
  * A patch is closed where the patch's number changes between two rows, unless an `END` row just
  * did. A transaction must be closed in its patch. Rows that a reader numbered are held to their
  * numbers instead, so that what was read can be written again: the row after a transaction's last
  * must be its end.
  *
  * @param out
  *   where the bytes go; closed by the caller
  */
final class PatchWriter(out: OutputStream, options: PatchOptions = PatchOptions()) {
  import PatchWriter._

  private[this] val encoder = new PatchEncoder(out, options)
  private[this] val endRow = new PatchRow
  endRow.op = PatchOp.End

  private[this] var isFirst = true
  private[this] var lastPatch = NoNumber
  private[this] var ended = false
  private[this] var inTransaction = false
  private[this] var transaction = NoNumber
  private[this] var broken = false

  /** Writes one row.
    *
    * @param patch
    *   ordinal of its patch, or [[PatchWriter.NoNumber]]
    * @param tx
    *   ordinal of its transaction, or [[PatchWriter.NoNumber]]
    * @throws org.jellyspark.UnwritableRowException
    *   if it cannot be written; nothing can follow it
    */
  def write(row: PatchRow, patch: Long = NoNumber, tx: Long = NoNumber): Unit =
    try {
      if (broken) refuse("nothing can follow a row that failed")
      broken = true
      if (!isFirst && patch != lastPatch && !ended) writeEnd()
      checkTransaction(row, tx)
      encoder.write(row)
      isFirst = false
      lastPatch = patch
      ended = row.op == PatchOp.End
      broken = false
    } catch {
      case e: RefusedException =>
        throw new UnwritableRowException(e.rule, RowText(row, patch, tx))
    }

  /** Ends the file: what is still held is written, unless a row failed. The last patch is not
    * closed, only an `END` row does that.
    */
  def finish(): Unit = if (!broken) {
    if (mustEndInPatch) {
      throw new UnwritableRowException(
        "the rows end before the TC or TA of their last transaction",
        null
      )
    }
    encoder.finish()
  }

  private def writeEnd(): Unit = {
    if (mustEndInPatch) refuse("a new patch begins before the TC or TA of the transaction")
    encoder.write(endRow)
  }

  private def mustEndInPatch: Boolean = inTransaction && transaction == NoNumber

  private def checkTransaction(row: PatchRow, tx: Long): Unit = row.op match {
    case PatchOp.TransactionStart =>
      if (mustEndInPatch) refuse("TX inside a transaction")
      inTransaction = true
      transaction = tx
    case _ if !inTransaction           =>
    case PatchOp.End if mustEndInPatch =>
      refuse("the patch ends before the TC or TA of its transaction")
    case _ if transaction != NoNumber && tx != transaction =>
      refuse(s"the TC or TA of transaction $transaction is missing before this row")
    case PatchOp.TransactionCommit | PatchOp.TransactionAbort => inTransaction = false
    case _                                                    =>
  }

  private def refuse(rule: String): Nothing = throw new RefusedException(rule)
}

object PatchWriter {

  /** In place of the number of a patch or a transaction, where a row has none. */
  val NoNumber: Long = -1L
}
