package org.jellyspark.formats.rdfpatchthrift

import java.io.InputStream

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.formats.RowReader
import org.jellyspark.core.rows.{Row, RowNumbering}

/** Reads the rows of one file of RDF Patch Thrift. Memory grows with its longest string.
  *
  * @param in
  *   the file's bytes; closed by the caller
  * @param file
  *   the file's name in errors
  * @param strict
  *   whether breaking the rules on transactions is an error
  */
private[rdfpatchthrift] final class ThriftReader(in: InputStream, file: String, strict: Boolean)
    extends RowReader {
  private[this] val bytes = new CompactProtocolReader(in)
  private[this] val decoder = new ThriftDecoder(bytes)
  private[this] val numbering = new RowNumbering(strict)
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
        decoder.decode(row)
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
