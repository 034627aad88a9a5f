package org.jellyspark.formats.rdfpatch

import java.io.InputStream

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.formats.{FilePart, RowReader}
import org.jellyspark.core.rows.{Row, RowNumbering}

/** Reads the rows that begin in a part of a text.
  *
  * To find and number them it passes over the rows before, which are checked but not made. That
  * ends where a row cannot be told from its line alone: it is longer than that, it declares a
  * prefix or repeats a term, or it is malformed. The part in which the first such row begins takes
  * all rows from there to the end of the text, and later parts have none.
  *
  * A malformed row is the line in which it begins; reading can go on with the next line.
  *
  * @param in
  *   the bytes of the whole text; closed by the caller
  * @param file
  *   what errors call them
  * @param strict
  *   whether the rules on transactions are errors
  */
private[rdfpatch] final class RdfPatchReader(
    in: InputStream,
    file: String,
    strict: Boolean,
    part: FilePart
) extends RowReader {
  private[this] val text = new TextInput(in)
  private[this] val parser = new RowParser(text)
  private[this] val numbering = new RowNumbering(strict)
  private[this] var isBeforePart = true
  private[this] var takesRest = false
  private[this] var isOver = false
  private[this] var malformedText: String = _

  override val row = new Row

  override def malformedRow: String = malformedText

  override def next(): Boolean =
    try {
      if (isBeforePart) skipToPart()
      while (!isOver && beginRow()) if (parseRow()) return true
      isOver = true
      false
    } catch { case e: MalformedRowException => fail(e) }

  /** Moves on to the first row of the part. */
  private def skipToPart(): Unit = {
    isBeforePart = false
    text.skipByteOrderMark()
    text.skipBlank()
    while (!isOver && text.offset < part.start) {
      isOver = !skipPlainRow()
      text.skipBlank()
    }
  }

  private def skipPlainRow(): Boolean = text.peek >= 0 && {
    text.beginRow()
    try {
      parser.parse(row, makesTerms = false)
      numbering.number(row)
      text.endRow()
      parser.isPlain
    } catch { case _: MalformedRowException => false } // which the part of that row raises
  }

  /** Answers whether there is one. */
  private def beginRow(): Boolean = {
    text.skipBlank()
    if (text.peek < 0) {
      isOver = true
      if (endsInPart) numbering.checkEnd()
      false
    } else {
      text.beginRow()
      takesRest || text.rowOffset < part.end
    }
  }

  /** Whether the end of the text, which is here, is that of the part: one part has it. */
  private def endsInPart: Boolean =
    takesRest || (text.offset <= part.end && (part.start == 0 || part.start < text.offset))

  /** Answers whether it is a row of the patch. */
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
    val (offset, line) = (text.rowOffset, text.rowLine)
    malformedText = text.skipRowLine()
    parser.forget(malformedText)
    row.clear()
    numbering.number(row)
    throw MalformedInputException.inLine(file, offset, row.seq, line, e.expected, e.found)
  }
}
