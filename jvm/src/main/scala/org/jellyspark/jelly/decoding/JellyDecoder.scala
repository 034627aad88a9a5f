package org.jellyspark.jelly.decoding

import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.errors.MalformedRowException.{malformed, noKind, noUtf8}
import org.jellyspark.core.formats.RequestedColumns
import org.jellyspark.core.rows.RowOp
import org.jellyspark.jelly.OptionsMessage
import org.jellyspark.jelly.wire._

/** Decodes the rows of one Jelly stream, in order, and only what is requested of them.
  *
  * There are three paths for a row, from the fastest to the most general:
  *
  *   1. [[FastRows]] is a single loop over the rows of a frame that have the most common form:
  *      short statements and lookup entries. It fills the columns of a batch, and stops before any
  *      other row.
  *   1. This class handles any row in canonical form: the fields of each message in the order of
  *      the schema, each at most once. All known writers produce that form.
  *   1. Any other row that Protobuf allows is checked by [[MessageWalker]], rewritten in canonical
  *      form and decoded again. The same happens to a row that breaks a rule of the format: if it
  *      is not even a Protobuf message, that is the error to report.
  *
  * `benchmarks/guides/row_paths.py` measures what a path gains. Times of a scan of 2,000,000
  * statements of the shop and of the weather (nanoseconds per row, on an AMD EPYC): with all paths
  * 153 and 101, without the first 172 and 131, with only the third 1410 and 1357. The second costs
  * no code of its own, because the third ends in it; it serves strict reading, rows as objects,
  * long terms and triple terms.
  *
  * If a path gives up on a row, it leaves no trace: the next path reads what the first one would
  * have read. To this end, [[IriTable.mark]] and [[IriTable.reset]] restore the ids to which IRIs
  * are relative. Held terms, lookup entries and counts only change when the row is accepted, or are
  * set again by the next path.
  *
  * @param format
  *   a new decoder for the rows of the format
  */
private[jellyspark] final class JellyDecoder(val format: FormatDecoder) {
  private[this] val fields = format.rows
  private[this] val options = format.options
  private[this] val walker = format.walker
  private[this] val sizes = format.sizes
  private[this] val factory = format.request.terms.newFactory(options.rowLimit)

  // All null before the first options row.
  private[this] var firstOptions: OptionsMessage = _
  private[this] var lookups: Lookups = _
  private[this] var entries: EntryDecoder = _
  private[this] var fast: FastRows = _

  // The state created for the last options row, to be reused for a stream that begins with the same
  // row. Null before the first one, and after a long one.
  private[this] var opened: OpenedStream = _

  /** The content of the last decoded row. */
  def row: DecodedRow = format.row

  /** The fast path; null before the options, if reading is strict, and if the text of the next row
    * may be too long.
    */
  private[jelly] def fastRows: FastRows =
    if (sizes.areShort || fast == null || mayUseFast) fast else null

  /** Creates a batch for the following rows, with room for `rows`. */
  private[jelly] def newBatch(columns: RequestedColumns, rows: Int): JellyBatch = {
    row.held.renew()
    if (lookups != null) lookups.iris.renew()
    new JellyBatch(columns, factory, rows)
  }

  /** Begins another stream. If it has the same options, it reuses the lookup tables. */
  def restart(): Unit = {
    firstOptions = null
    lookups = null
    entries = null
    fast = null
    sizes.restart()
    format.restart()
  }

  /** Copies the bytes of earlier rows that held terms still refer to, before those bytes are
    * overwritten.
    */
  def keepTerms(): Unit = if (lookups != null) format.statements.keepTerms()

  /** Decodes the message of one row.
    *
    * @return
    *   the op of the row; null if readers do not return it, as for an options row or a lookup entry
    * @throws MalformedRowException
    *   if the row is malformed
    */
  def decode(bytes: Array[Byte], start: Int, length: Int): RowOp = {
    sizes.startRow(length)
    val op = decodeRow(bytes, start, start + length)
    if (!sizes.areShort && op != null && row.isWanted) sizes.check(op, row, factory)
    op
  }

  private def decodeRow(bytes: Array[Byte], start: Int, end: Int): RowOp = {
    val length = end - start
    if (lookups != null) lookups.iris.mark()
    try {
      val tag = if (length < 2) 0 else bytes(start).toInt
      // The most common case: a single field whose length has one byte.
      if (tag > 0 && (tag & 7) == Wire.LengthDelimited && bytes(start + 1) == length - 2) {
        decodeField(tag >>> 3, bytes, start, start + 2, end)
      } else decodeCanonical(bytes, start, end)
    } catch {
      case _: MalformedRowException | NonCanonical =>
        if (lookups != null) lookups.iris.reset()
        decodeAny(bytes, start, end)
    }
  }

  /** Checks that a row has the same options as the beginning of the stream.
    *
    * @throws MalformedRowException
    *   if it does not have them
    */
  def checkOptions(bytes: Array[Byte], start: Int, length: Int): Unit = {
    sizes.startRow(length)
    val row = canonicalRow(bytes, start, start + length)
    val kind = PackedVarint.number(PackedVarint.read(row, 0, row.length)) >>> 3
    if (kind != fields.options) notOptions(fields.nameOf(kind))
    decodeCanonical(row, 0, row.length): Unit
  }

  /** Whether the fast path may be used. Held terms that were not created because of a filter have
    * no size yet.
    */
  private def mayUseFast: Boolean =
    !format.statements.isFiltered && sizes.areFastRowsShort(row, factory)

  private def notOptions(name: String): Nothing =
    malformed("an options row first", s"a $name row")

  private def decodeCanonical(bytes: Array[Byte], start: Int, end: Int): RowOp = {
    val tag = PackedVarint.read(bytes, start, end)
    val length = PackedVarint.read(bytes, PackedVarint.next(tag), end)
    val from = PackedVarint.next(length)
    val isMessage = (PackedVarint.number(tag) & 7) == Wire.LengthDelimited
    if (!isMessage || PackedVarint.number(length) != end - from) throw NonCanonical
    decodeField(PackedVarint.number(tag) >>> 3, bytes, start, from, end)
  }

  private def decodeAny(bytes: Array[Byte], start: Int, end: Int): RowOp = {
    val canonical = canonicalRow(bytes, start, end)
    try decodeCanonical(canonical, 0, canonical.length)
    // The row is canonical now, so it must repeat a lazy term that is created now and is not valid
    // UTF-8.
    catch { case NonCanonical => noUtf8(Utf8.Invalid) }
  }

  private def canonicalRow(bytes: Array[Byte], start: Int, end: Int): Array[Byte] = {
    val canonical = walker.canonicalRow(bytes, start, end)
    if (canonical.length == 0) noKind()
    canonical
  }

  /** Decodes the field of a row.
    *
    * @param kind
    *   the field number of the row
    * @param start
    *   the index at which the row begins
    * @param from
    *   the index at which the content of the field begins
    * @param to
    *   the index after that content
    */
  private def decodeField(kind: Int, bytes: Array[Byte], start: Int, from: Int, to: Int): RowOp =
    if (kind == fields.options) {
      takeOptions(bytes, start, from, to)
      null
    } else {
      if (firstOptions == null) {
        if (!fields.nameOf.contains(kind)) throw NonCanonical
        notOptions(fields.nameOf(kind))
      }
      if (kind == fields.name || kind == fields.prefix || kind == fields.datatype) {
        sizes.noteEntry(to - from)
        if (format.readsTerms) entries.decode(kind, bytes, from, to)
        null
      } else format.decode(kind, bytes, from, to)
    }

  /** Decodes an options row. Its fields may come in any order, because the general path is fast
    * enough for such rare rows.
    */
  private def takeOptions(bytes: Array[Byte], start: Int, from: Int, to: Int): Unit =
    if (firstOptions == null && opened != null && opened.isRow(bytes, start, to)) reopen()
    else {
      walker.checkRow(bytes, start, to)
      val found = new OptionsMessage(fields.optionsMessage, bytes, from, to)
      if (firstOptions == null) {
        open(found)
        opened =
          if (to - start > OpenedStream.MaxRow) null
          else {
            val row = Arrays.copyOfRange(bytes, start, to)
            new OpenedStream(row, found, lookups, entries, fast)
          }
      } else if (!found.hasSame(firstOptions))
        malformed("the options of the first options row", "different options")
    }

  private def open(found: OptionsMessage): Unit = {
    val features = format.begin(found)
    lookups = Lookups(found, options, format.isRestart, factory, sizes)
    format.start(lookups, features)
    val statements = format.statements
    entries = new EntryDecoder(lookups, statements.readers, statements.isFiltered, fields)
    if (!options.strict) fast = new FastRows(format, lookups, entries)
    firstOptions = found
  }

  /** Opens a stream with the state of the last options row. */
  private def reopen(): Unit = {
    format.begin(opened.options): Unit
    opened.lookups.restart()
    lookups = opened.lookups
    entries = opened.entries
    fast = opened.fast
    firstOptions = opened.options
  }
}

/** The state that a decoder creates for the first options row of a stream.
  *
  * @param row
  *   the bytes of the row
  * @param fast
  *   the fast path; null if reading is strict
  */
private final class OpenedStream(
    row: Array[Byte],
    val options: OptionsMessage,
    val lookups: Lookups,
    val entries: EntryDecoder,
    val fast: FastRows
) {

  /** Whether `bytes[from, to)` is the same options row. */
  def isRow(bytes: Array[Byte], from: Int, to: Int): Boolean =
    Arrays.equals(row, 0, row.length, bytes, from, to)
}

private object OpenedStream {

  /** The longest row to keep, in bytes. A longer row has a long stream name. */
  final val MaxRow = 1 << 10
}
