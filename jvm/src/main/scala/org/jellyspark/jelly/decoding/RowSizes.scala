package org.jellyspark.jelly.decoding

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.rows.RowOp
import org.jellyspark.core.terms.{TripleTermSize, TermFactory}

/** Checks that no row is longer than the option `maxRowSize` allows, either in the file or as the
  * text of its terms.
  *
  * Computing the text size of every row would take time and is rarely necessary. Let `n` be the
  * largest size in bytes of all rows so far, including lookup entries, and of the texts of all
  * triple terms. In canonical text, a byte becomes at most six bytes. So the text of an IRI, which
  * has a prefix and a name, has at most `6(n + n) + 6` bytes, and so has a literal with its
  * datatype. The other terms and the name of a row are shorter. A row has at most four of these,
  * which is less than `64n` in total, because `n` is at least 127 here. So the text sizes of rows
  * only need to be computed once `64n` is above the limit: with the default limit, after a row of
  * more than 1 MiB.
  */
private[jelly] final class RowSizes(limit: RowLimit) {
  import RowSizes._

  /** Counts the terms inside the triple terms of the current row. During the rows of [[FastRows]]
    * it keeps counting. If the sum becomes too large, the next path reads the row again.
    */
  val tripleSize: TripleTermSize = new TripleTermSize(limit)

  // Initially at least the longest row that FastRows reads.
  private[this] var longest = math.min(ShortRow, limit.bytes)
  private[this] var longestEntry = ShortRow

  /** Whether the text of no row can be too long. If false, each row must pass [[check]]. */
  var areShort: Boolean = isShort(ShortRow.toLong)

  /** Begins another stream. */
  def restart(): Unit = {
    longest = math.min(ShortRow, limit.bytes)
    longestEntry = ShortRow
    areShort = isShort(ShortRow.toLong)
  }

  /** Begins a row and records its length in the file.
    *
    * @throws MalformedRowException
    *   if the length is above the limit
    */
  def startRow(length: Int): Unit = {
    tripleSize.startRow()
    if (length > longest) {
      limit.check(length.toLong)
      longest = length
      areShort = areShort && isShort(length.toLong)
    }
  }

  /** The largest number of rows that [[FastRows]] may read before the size of the created terms is
    * checked.
    */
  def fastRows: Int = math.max(1, FastBytes / (Growth * longestEntry)).toInt

  /** Records the length of a lookup entry, in bytes. */
  def noteEntry(length: Int): Unit = if (length > longestEntry) longestEntry = length

  /** Records the text size of a triple term that was created. */
  def noteTriple(size: Long): Unit = areShort = areShort && isShort(size)

  /** Checks the text size of a decoded row.
    *
    * @throws MalformedRowException
    *   if the row is too long
    */
  def check(op: RowOp, row: DecodedRow, factory: TermFactory): Unit = limit.check {
    if (DecodedRow.isStatement(op)) sizeOf(row.terms, factory)
    else if (op.hasName) {
      sizeOf(row.name, factory) + sizeOf(row.value, factory) +
        (if (row.hasGraph) sizeOf(row.terms(Position.Graph), factory) else 0)
    } else 0
  }

  /** Whether the text of no row that [[FastRows]] reads next can be too long: it consists of terms
    * that are held now, and of others with less than 128 bytes in addition to their lookup entries.
    */
  def areFastRowsShort(row: DecodedRow, factory: TermFactory): Boolean =
    sizeOf(row.terms, factory) + Growth * longestEntry <= limit.bytes

  private def isShort(longest: Long): Boolean = Growth * longest <= limit.bytes
}

private object RowSizes {
  private final val ShortRow = 127
  private final val Growth = 64L

  /** The approximate limit for the bytes of the terms that these rows create. */
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
