package org.jellyspark.formats.rdfpatchthrift

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.{MalformedRowException, RowLimit}
import org.jellyspark.core.formats.RowReader
import org.jellyspark.core.rows.{Row, RowNumbering, RowSize}

/** Reads the rows of one RDF Patch Thrift file. Memory grows with the longest row.
  *
  * @param bytes
  *   the bytes of the file
  * @param file
  *   the name of the file in error messages
  * @param strict
  *   whether violations of the rules on transactions are errors
  * @param rowLimit
  *   the longest row
  */
private[rdfpatchthrift] final class ThriftReader(
    bytes: CompactProtocolReader,
    file: String,
    strict: Boolean,
    rowLimit: RowLimit
) extends RowReader {
  private[this] val decoder = new ThriftDecoder(bytes, rowLimit)
  private[this] val numbering = new RowNumbering(strict)
  // The longest row whose terms cannot be too long as text: a byte of text becomes at most six, and
  // the fields around a text have at least half as many bytes as the syntax around it.
  private[this] val shortRow = rowLimit.bytes / 8
  // The number of rows read so far.
  private[this] var count = 0L

  override val row = new Row

  override def next(): Boolean = {
    val offset = bytes.offset
    try {
      if (bytes.atEnd()) {
        numbering.checkEnd()
        false
      } else {
        bytes.startRow()
        decoder.decode(row)
        val length = bytes.offset - offset
        if (length > shortRow) RowSize.check(row, length, rowLimit)
        numbering.number(row)
        count += 1
        true
      }
    } catch {
      case e: MalformedRowException =>
        throw MalformedInputException.inRow(file, offset, count, e.expected, e.found)
    }
  }
}
