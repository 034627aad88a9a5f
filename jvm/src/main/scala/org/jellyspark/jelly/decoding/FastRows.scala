package org.jellyspark.jelly.decoding

import org.jellyspark.core.bytes.{Swar, Utf8}
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.rows.{RowNumbering, RowOp}
import org.jellyspark.jelly.lookups.EntryTable
import org.jellyspark.jelly.wire.{NonCanonical, PackedVarint, Tag, Wire}

/** The fast path for rows in the most common form: lookup entries, and statements of IRIs, literals
  * and blank nodes, of less than 128 bytes, in which every length and nearly every id has one byte.
  *
  * It stops before any other row, and before a row that breaks a rule. [[JellyDecoder]] decodes
  * those, and would decode the rows of this path to the same columns. Speed depends on the number
  * of instructions per row, so a single test recognizes each form of a message, and rows in other
  * forms are not examined further.
  *
  * If rows are filtered, [[FilteredStatements]] reads the statements, and the filter is evaluated
  * on ids: see [[TermReader]].
  */
private[jelly] final class FastRows(
    format: FormatDecoder,
    lookups: Lookups,
    entries: EntryDecoder
) {
  import FastRows._

  private[this] val decoded = format.row
  private[this] val held = decoded.held
  private[this] val readers = format.statements.readers
  private[this] val isFiltered = format.statements.isFiltered
  private[this] val readsTerms = format.readsTerms
  private[this] val iris = lookups.iris
  private[this] val sizes = lookups.sizes
  private[this] val statements = new FastStatements(lookups)
  private[this] val filteredStatements =
    new FilteredStatements(lookups, format.statements, readsTerms)
  private[this] val nameTag = Wire.lengthTag(format.rows.name)
  private[this] val prefixTag = Wire.lengthTag(format.rows.prefix)
  private[this] val datatypeTag = Wire.lengthTag(format.rows.datatype)
  // The first row of the batch that the current call of `read` adds.
  private[this] var firstRow = 0

  /** The index at which [[read]] stopped. */
  var end: Int = 0

  /** The number of rows that [[read]] read, including lookup entries. */
  var count: Int = 0

  /** The number of bytes of the rows that [[read]] read and that did not pass the filter. */
  var filteredBytes: Int = 0

  /** Reads rows of a frame into a batch, up to a row that is not in the common form.
    *
    * @param start
    *   the index at which the next row begins
    * @param limit
    *   the index at which the bytes of the frame in `bytes` end
    * @param frame
    *   the ordinal of the frame
    */
  def read(
      bytes: Array[Byte],
      start: Int,
      limit: Int,
      numbering: RowNumbering,
      frame: Long,
      target: JellyBatch
  ): Unit = {
    val positions = format.positions
    val makesTerms = readsTerms && !isFiltered
    // Without terms to repeat, only lookup entries are read: those before the first statement.
    val readsStatements = !makesTerms || canRepeat(positions)
    val addTag = if (readsStatements) tagOf(format.addField) else NoTag
    val deleteTag = if (readsStatements) tagOf(format.deleteField) else NoTag
    val columns =
      target.terms(withGraph = positions > Position.Graph || held.terms(Position.Graph) != null)
    val last = math.min(limit, bytes.length - Margin)
    firstRow = target.size
    val full = math.min(firstRow + sizes.fastRows, target.maxSize)
    var seq = numbering.startStatements()
    val firstSeq = seq
    var at = start
    var rows = 0
    var skipped = 0
    if (makesTerms && readsStatements && firstRow < full) repeatHeld(columns)
    var goesOn = true
    while (goesOn && last - at >= MinRow && target.size < full) {
      val length = bytes(at + 1).toInt
      val rowEnd = at + 2 + length
      goesOn = bytes(at) == Tag.Row && length >= 2 && rowEnd <= last && bytes(at + 3) == length - 2
      if (goesOn) {
        val tag = bytes(at + 2).toInt
        if (tag == addTag || tag == deleteTag) {
          val op = if (tag == addTag) RowOp.Add else RowOp.Delete
          if (isFiltered) {
            goesOn = filtered(op, bytes, at + 4, rowEnd, positions)
            if (goesOn) {
              if (decoded.isWanted) target.add(op, decoded, numbering, seq, frame)
              else skipped += length
            }
          } else {
            goesOn = !readsTerms ||
              statements.read(bytes, at + 4, rowEnd, positions, columns, firstRow, target.size)
            if (goesOn) target.add(op, numbering.patch, numbering.transaction, seq, frame)
          }
          if (goesOn) seq += 1
        } else if (tag == nameTag) goesOn = !readsTerms || name(bytes, at + 4, rowEnd)
        else {
          goesOn = (tag == prefixTag || tag == datatypeTag) &&
            (!readsTerms || entry(tag, bytes, at + 4, rowEnd))
        }
        if (goesOn) {
          at = rowEnd
          rows += 1
        }
      }
    }
    if (makesTerms) hold(columns, target.size)
    numbering.endStatements(seq - firstSeq)
    end = at
    count = rows
    filteredBytes = skipped
  }

  /** Whether there is a term in each position that a row may repeat. */
  private def canRepeat(positions: Int): Boolean = {
    var position = 0
    while (position < positions && readers(position).isSet) position += 1
    position == positions
  }

  /** Copies the held terms to the first row, which may repeat them. */
  private def repeatHeld(columns: Array[Array[AnyRef]]): Unit = {
    var position = 0
    while (position < columns.length) {
      if (columns(position) != null) columns(position)(firstRow) = held.terms(position)
      position += 1
    }
  }

  /** Copies the terms of the last row to [[HeldTerms]]. During [[read]], a row repeats the terms of
    * the previous row in the columns instead, which avoids storing each term twice. The row after
    * the last one may contain terms of an abandoned row, which are removed.
    */
  private def hold(columns: Array[Array[AnyRef]], size: Int): Unit = {
    var position = 0
    while (position < columns.length) {
      val column = columns(position)
      if (column != null) {
        if (size > firstRow) held.terms(position) = column(size - 1)
        if (size < column.length) column(size) = null
      }
      position += 1
    }
  }

  /** Reads a statement, and decides whether it passes the filter.
    *
    * @return
    *   whether it was in the common form; if not, the row counts as not read
    */
  private def filtered(
      op: RowOp,
      bytes: Array[Byte],
      start: Int,
      end: Int,
      positions: Int
  ): Boolean = {
    iris.mark()
    val isRead =
      try filteredStatements.read(op, bytes, start, end, positions)
      catch { case _: MalformedRowException | NonCanonical => false }
    if (!isRead) iris.reset()
    isRead
  }

  /** Sets a name entry.
    *
    * @return
    *   whether it was in the common form; if not, nothing was set
    */
  private def name(bytes: Array[Byte], start: Int, end: Int): Boolean = {
    var encodedId = 0
    var at = start
    if (at < end && bytes(at) == Tag.EntryId) {
      val read = PackedVarint.readShort(bytes, at + 1, end)
      encodedId = PackedVarint.number(read)
      at = PackedVarint.next(read)
    }
    val isCommon = at + 1 < end && bytes(at) == Tag.EntryValue && bytes(at + 1) == end - at - 2 &&
      Utf8.isValid(bytes, at + 2, end)
    val id = if (isCommon) iris.names.next(encodedId) else EntryTable.NoEntry
    if (id != EntryTable.NoEntry) entries.setName(id, bytes, at + 2, end)
    id != EntryTable.NoEntry
  }

  /** Sets an entry of another table.
    *
    * @return
    *   whether it was in canonical form and valid; if not, nothing was set
    */
  private def entry(tag: Int, bytes: Array[Byte], start: Int, end: Int): Boolean =
    try {
      entries.decode(tag >>> 3, bytes, start, end)
      true
    } catch { case _: MalformedRowException | NonCanonical => false }
}

private object FastRows {

  /** Stands for a tag, but is different from every byte. */
  private final val NoTag = Int.MaxValue

  /** The number of bytes of the shortest row: its tag and length, and those of its message. */
  private final val MinRow = 4

  /** How many bytes after a row its last word may extend: see [[FastStatements]]. */
  private final val Margin = 2 * Swar.Size

  private def tagOf(field: Int): Int =
    if (field == FormatDecoder.NoField) NoTag else Wire.lengthTag(field)
}
