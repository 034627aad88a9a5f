package org.jellyspark.formats.ntriples

import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.formats.RowReader
import org.jellyspark.core.rows.Row

/** Reads lines as rows of terms. After a malformed row, reading continues on the next line. */
private[ntriples] final class LineRowReader(input: LineInput, parser: LineParser)
    extends RowReader {
  private[this] var rows = 0L
  // Whether the last row was malformed. The rest of its line, which may be very long, is skipped
  // later.
  private[this] var isAtMalformed = false

  override val row = new Row

  override def malformedRow: String = input.rowText

  override def next(): Boolean =
    try {
      if (isAtMalformed) input.skipLine()
      isAtMalformed = false
      input.find(mayRead = true) == LineInput.Found && {
        parser.parse(input.bytes, input.pos, input.lineEnd, row)
        input.skipLine()
        number()
        true
      }
    } catch {
      case e: MalformedRowException =>
        isAtMalformed = true
        val error = input.located(e, rows)
        row.clear()
        number()
        throw error
    }

  private def number(): Unit = {
    row.seq = rows
    rows += 1
  }
}
