package org.jellyspark.core.formats

import java.io.OutputStream

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.errors.RefusedException
import org.jellyspark.core.rows.{Column, Row, RowOp, RowText, TransactionGuard}

/** Writes the rows of one file with an encoder, and adds the row to the encoder's errors.
  *
  * @param columns
  *   the columns of the format's rows, for error messages
  */
class RowWriter private[jellyspark] (encoder: RowEncoder, columns: Seq[Column]) {
  // True while a row is being encoded, and therefore after any exception.
  private[this] var broken = false

  /** Writes one row. If it was read from a file, its numbers are those from that file.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if the row cannot be written; nothing can be written afterwards
    */
  final def write(row: Row): Unit = {
    if (broken) throw new IllegalStateException("the writer cannot be used after an error")
    broken = true
    try encode(row)
    catch {
      case e: RefusedException => throw new UnwritableRowException(e.rule, RowText(row, columns))
    }
    broken = false
  }

  /** Ends the file, and writes what is still in memory. Does nothing after an error.
    *
    * @throws org.jellyspark.UnwritableRowException
    *   if the file must not end here
    */
  final def finish(): Unit = if (!broken) {
    try {
      checkEnd()
      encoder.finish()
    } catch { case e: RefusedException => throw new UnwritableRowException(e.rule, null) }
  }

  /** Begins another file on the same stream, after [[finish]], if there was no error. */
  def restart(): Unit = encoder.restart()

  /** Encodes one row. Subclasses may add rows and checks. */
  protected def encode(row: Row): Unit = encoder.write(row)

  /** Checks that the file may end here.
    *
    * @throws org.jellyspark.core.errors.RefusedException
    *   if the file must not end here
    */
  protected def checkEnd(): Unit = ()
}

/** Writes the rows of one patch file in any patch format.
  *
  * A new value in `patch` ends the current patch, unless the previous row was an `END`. The end of
  * the file does not end a patch. [[TransactionGuard]] checks the transactions.
  */
private[jellyspark] final class PatchWriter(encoder: RowEncoder)
    extends RowWriter(encoder, Column.ofPatches) {
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

/** Encodes the rows of one file, in order. */
private[jellyspark] trait RowEncoder {

  /** Encodes one row.
    *
    * @throws org.jellyspark.core.errors.RefusedException
    *   if the row cannot be written with these options; nothing may be written afterwards
    */
  def write(row: Row): Unit

  /** Ends the file, and writes what is still in memory.
    *
    * @throws org.jellyspark.core.errors.RefusedException
    *   if the file becomes too long for its format
    */
  def finish(): Unit

  /** Begins another file on the same stream, after [[finish]]. */
  def restart(): Unit
}

/** Creates writers of files with fixed options. */
trait WriterFactory extends Serializable {

  /** Begins a file.
    *
    * @param out
    *   the stream to write to; closed by the caller
    */
  def open(out: OutputStream): RowWriter
}
