package org.jellyspark.jelly.decoding

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{QuotedSize, TermFactory}

/** Checks that no row is longer than the option `maxRowSize` allows, as bytes of the file or as the
  * text of its terms.
  *
  * Adding up the text of every row would cost time, and is rarely needed. Let `n` be the longest of
  * all rows so far, lookup entries included, and of the texts of all quoted triples, in bytes. No
  * byte becomes more than six in a canonical text. So an IRI has at most `6(n + n) + 6` bytes of
  * text, for its prefix and its name, and a literal with its datatype not more than `6(n + n) + 6`;
  * the other terms and the name of a row have less. A row has at most four of these, in all less
  * than `64n`, as `n` is at least 127 here. So the texts of rows need be added up only once `64n`
  * is above the limit: with the default, after a row of more than 1 MiB.
  */
private[jelly] final class RowSizes(limit: RowLimit) {
  import RowSizes._

  /** Counts the terms inside the quoted triples of the current row. It goes on counting during the
    * rows of [[FastRows]]: where that is too much, the row is read again by the next way.
    */
  val quoted: QuotedSize = new QuotedSize(limit)

  // At least as long as the longest row that FastRows reads.
  private[this] var longest = math.min(ShortRow, limit.bytes)
  private[this] var longestEntry = ShortRow

  /** Whether no row can have too long a text. If not, each must pass [[check]]. */
  var areShort: Boolean = isShort(ShortRow.toLong)

  /** Begins another stream. */
  def restart(): Unit = {
    longest = math.min(ShortRow, limit.bytes)
    longestEntry = ShortRow
    areShort = isShort(ShortRow.toLong)
  }

  /** Begins a row, and notes its length in the file.
    *
    * @throws MalformedRowException
    *   if it is above the limit
    */
  def startRow(length: Int): Unit = {
    quoted.startRow()
    if (length > longest) {
      limit.check(length.toLong)
      longest = length
      areShort = areShort && isShort(length.toLong)
    }
  }

  /** The most rows that [[FastRows]] reads before the bytes that were made are looked at. */
  def fastRows: Int = math.max(1, FastBytes / (Growth * longestEntry)).toInt

  /** Notes the length of a lookup entry. */
  def noteEntry(length: Int): Unit = if (length > longestEntry) longestEntry = length

  /** Notes the text of a quoted triple that was made. */
  def noteTriple(size: Long): Unit = areShort = areShort && isShort(size)

  /** Checks the text of a row that was decoded.
    *
    * @throws MalformedRowException
    *   if it is too long
    */
  def check(op: RowOp, row: DecodedRow, factory: TermFactory): Unit = limit.check {
    if (DecodedRow.isStatement(op)) sizeOf(row.terms, factory)
    else if (op.hasName) {
      sizeOf(row.name, factory) + sizeOf(row.value, factory) +
        (if (row.hasGraph) sizeOf(row.terms(Position.Graph), factory) else 0)
    } else 0
  }

  /** Whether no row that [[FastRows]] reads next can have too long a text: it has terms that are
    * held now, and others of less than 128 bytes beside its lookup entries.
    */
  def areFastRowsShort(row: DecodedRow, factory: TermFactory): Boolean =
    sizeOf(row.terms, factory) + Growth * longestEntry <= limit.bytes

  private def isShort(longest: Long): Boolean = Growth * longest <= limit.bytes
}

private object RowSizes {
  private final val ShortRow = 127
  private final val Growth = 64L

  /** About the most bytes of terms that so many rows make. */
  private final val FastBytes = 1L << 22

  private def sizeOf(terms: Array[AnyRef], factory: TermFactory): Long = {
    var size = 0L
    var position = 0
    while (position < terms.length) {
      size += sizeOf(terms(position), factory)
      position += 1
    }
    size
  }

  private def sizeOf(value: AnyRef, factory: TermFactory): Long =
    if (value == null) 0 else factory.size(value)
}
