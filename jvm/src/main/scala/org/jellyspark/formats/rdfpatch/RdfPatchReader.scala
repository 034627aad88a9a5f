package org.jellyspark.formats.rdfpatch

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.{MalformedRowException, RowLimit}
import org.jellyspark.core.formats.{FilePart, ScanningReader, StatementRanges}
import org.jellyspark.core.rows.{Row, RowNumbering, RowOp}
import org.jellyspark.core.terms.JenaDefaultGraph
import org.jellyspark.text.{StatementScanner, TextInput}

/** Reads the rows that begin in one part of a file.
  *
  * To number its rows, it first skips the rows before the part, which are checked but not decoded.
  * This works only while every row is a single line that does not depend on earlier rows, unlike a
  * row of several lines, a prefix declaration, an `R` or a malformed row. The part in which the
  * first such row begins reads all rows from there to the end of the file, and later parts are
  * empty.
  *
  * Most rows are statements of canonical terms on a line of their own. [[scan]] finds their terms
  * without creating objects, and `next` parses any row.
  *
  * After a malformed row, reading resumes with the next line. The rest of the malformed line, which
  * may be very long, is only read if reading resumes or its text is requested.
  *
  * @param text
  *   the whole file
  * @param file
  *   the name of the file in error messages
  * @param strict
  *   whether violations of the rules on transactions are errors, and headers without a dot at the
  *   end of their line, as rdflib 7.6 writes `prev`
  * @param rowLimit
  *   the longest row
  */
private[rdfpatch] final class RdfPatchReader(
    text: TextInput,
    file: String,
    strict: Boolean,
    rowLimit: RowLimit,
    part: FilePart
) extends ScanningReader {
  import RowScanner.isBlank
  import TextInput.isLineEnd

  private[this] val parser = new RowParser(text, strict, rowLimit)
  private[this] val scanner = new RowScanner
  private[this] val numbering = new RowNumbering(strict)
  private[this] var isBeforePart = true
  private[this] var takesRest = false
  private[this] var isOver = false
  // Whether the last row is malformed and its line has not been skipped yet.
  private[this] var isAtMalformed = false
  private[this] var malformedText: String = _
  private[this] var passed = 0L

  override val row = new Row

  override def malformedRow: String = {
    if (isAtMalformed) skipMalformed()
    malformedText
  }

  override def passedBytes: Long = passed

  override def next(): Boolean =
    try {
      if (isAtMalformed) skipMalformed()
      if (isBeforePart) skipToPart()
      while (!isOver && beginRow()) if (parseRow()) return true
      isOver = true
      false
    } catch { case e: MalformedRowException => fail(e) }

  override def terms: StatementRanges = scanner

  override def buffer: Array[Byte] = text.buffer

  override def offset: Long = text.offset

  override def scan(): Boolean = {
    val bytes = text.buffer
    var at = text.pos
    var lines = 0
    while (isBlank(bytes(at)) || isLineEnd(bytes(at))) {
      if (bytes(at) == '\n') lines += 1
      at += 1
    }
    val isStatement =
      (bytes(at) == 'A' || bytes(at) == 'D') && isBlank(bytes(at + 1)) && canScan(at)
    isStatement && {
      var from = at + 2
      while (isBlank(bytes(from))) from += 1
      val end = scanner.scan(bytes, from)
      val isFound = end != StatementScanner.NeedsParser && end < text.limit &&
        parser.isShort(end - at) && !mayBeDefaultGraph(bytes)
      if (isFound) {
        scanner.makeCanonical(bytes)
        parser.setLast(bytes, scanner)
        row.op = if (bytes(at) == 'A') RowOp.Add else RowOp.Delete
        numbering.number(row)
        text.pos = end
        text.line += lines
      }
      isFound
    }
  }

  /** Whether the row at the index `at` of the buffer belongs to the part, and can come next. */
  private def canScan(at: Int): Boolean = !isBeforePart && !isAtMalformed && !isOver &&
    (takesRest || text.offset + at - text.pos < part.end)

  private def mayBeDefaultGraph(bytes: Array[Byte]): Boolean = scanner.hasGraph &&
    JenaDefaultGraph.mayBeName(bytes, scanner.graphFrom + 1, scanner.graphEnd)

  /** Moves to the first row of the part. */
  private def skipToPart(): Unit = {
    isBeforePart = false
    text.skipByteOrderMark()
    text.skipBlank()
    while (!isOver && text.offset < part.start) {
      isOver = !skipPlainRow()
      text.skipBlank()
    }
    if (part.start > 0) passed = text.offset
  }

  /** Skips a row before the part.
    *
    * @return
    *   whether it is a single line that depends on no other row
    */
  private def skipPlainRow(): Boolean = scan() || (text.peek != TextInput.End && {
    text.beginRow()
    try {
      parser.parse(row, makesTerms = false)
      numbering.number(row)
      text.endRow()
      parser.isPlain
    } catch { case _: MalformedRowException => false } // reported by the part in which it begins
  })

  /** Moves to the next row.
    *
    * @return
    *   whether there is one in this part
    */
  private def beginRow(): Boolean = {
    text.skipBlank()
    if (text.peek == TextInput.End) {
      isOver = true
      if (endsInPart) numbering.checkEnd()
      false
    } else {
      text.beginRow()
      takesRest || text.rowOffset < part.end
    }
  }

  /** Whether this part must check the end of the file, which is at the current position. Exactly
    * one part must.
    */
  private def endsInPart: Boolean =
    takesRest || (text.offset <= part.end && (part.start == 0 || part.start < text.offset))

  /** Reads a row or a prefix declaration.
    *
    * @return
    *   whether it is a row of the patch
    */
  private def parseRow(): Boolean = {
    val isRow = parser.parse(row, makesTerms = true)
    if (isRow) numbering.number(row)
    text.endRow()
    takesRest ||= !parser.isPlain
    isRow
  }

  private def fail(e: MalformedRowException): Nothing = {
    takesRest = true
    if (!text.isInRow) text.beginRow()
    isAtMalformed = true
    row.clear()
    numbering.number(row)
    throw MalformedInputException.inLine(
      file,
      text.rowOffset,
      row.seq,
      text.rowLine,
      e.expected,
      e.found
    )
  }

  private def skipMalformed(): Unit = {
    isAtMalformed = false
    malformedText = text.skipRowLine()
    parser.forget(malformedText)
  }
}
