package org.jellyspark.jelly.decoding

import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.MalformedRowException
import org.jellyspark.core.errors.MalformedRowException.{malformed, noKind, noUtf8}
import org.jellyspark.core.rows.RowOp
import org.jellyspark.jelly.OptionsMessage
import org.jellyspark.jelly.wire._

/** Decodes the rows of one Jelly stream, in order, as far as the request wants them.
  *
  * There are three ways through a row, from the fastest to the one that takes everything:
  *
  *   1. [[FastRows]] is one loop over the rows of a frame that have the most common form: short
  *      statements and name entries. It fills the columns of a batch, and stops before any other
  *      row.
  *   1. This class takes a row of any kind in canonical form: the fields of each message in the
  *      order of the schema, each at most once. All writers write that form.
  *   1. Any other row that Protobuf allows is checked by [[MessageWalker]], rewritten in canonical
  *      form, and decoded again. So is a row that breaks a rule of the format: if it is not even a
  *      message, that is the error to report.
  *
  * A way that gives a row up leaves no trace of it: what the next way reads is what the first would
  * have read. For that, [[IriTable.mark]] and [[IriTable.reset]] take back the ids that IRIs are
  * relative to, and held terms, lookup entries and counts change only where the row is accepted, or
  * are set again by the next way.
  *
  * @param format
  *   a new one, which decodes the rows of its format
  */
private[jellyspark] final class JellyDecoder(val format: FormatDecoder) {
  private[this] val fields = format.fields
  private[this] val options = format.options
  private[this] val walker = format.walker
  private[this] val sizes = format.sizes
  private[this] val factory = format.request.terms.newFactory(options.rowLimit)

  // All null before the first options row.
  private[this] var firstOptions: OptionsMessage = _
  private[this] var lookups: Lookups = _
  private[this] var entries: EntryDecoder = _
  private[this] var fast: FastRows = _

  // What the last options row made, for a stream that begins with the same row. Null before the
  // first one, and after a long one.
  private[this] var opened: OpenedStream = _

  /** The content of the row that was decoded last. */
  def row: DecodedRow = format.row

  /** The fast way through rows; null before the options, where reading is strict, and where the
    * next row may have too long a text.
    */
  private[jelly] def fastRows: FastRows =
    if (sizes.areShort || fast == null || mayUseFast) fast else null

  /** A batch that is filled with the rows that follow, with room for `rows`. */
  private[jelly] def newBatch(columns: RequestedColumns, rows: Int): BatchBuilder = {
    row.held.renew()
    if (lookups != null) lookups.iris.renew()
    new BatchBuilder(columns, factory, rows)
  }

  /** Begins another stream. The lookup tables are reused if it has the same options. */
  def restart(): Unit = {
    firstOptions = null
    lookups = null
    entries = null
    fast = null
    sizes.restart()
    format.restart()
  }

  /** Copies what held terms still refer to in the bytes of earlier rows, before those bytes go. */
  def keepTerms(): Unit = if (lookups != null) format.statements.keepTerms()

  /** Decodes the message of one row.
    *
    * @return
    *   the row's op; null if it is not a row for the reader, as an options row or a lookup entry
    * @throws MalformedRowException
    *   if it breaks the format
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
      // One field with a length of one byte: most rows.
      if (tag > 0 && (tag & 7) == Wire.LengthDelimited && bytes(start + 1) == length - 2) {
        decodeField(tag >>> 3, bytes, start, start + 2, end)
      } else decodeCanonical(bytes, start, end)
    } catch {
      case _: MalformedRowException | NonCanonical =>
        if (lookups != null) lookups.iris.reset()
        decodeAny(bytes, start, end)
    }
  }

  /** Checks that a row has the options that the stream began with.
    *
    * @throws MalformedRowException
    *   if it does not
    */
  def checkOptions(bytes: Array[Byte], start: Int, length: Int): Unit = {
    sizes.startRow(length)
    val row = canonicalRow(bytes, start, start + length)
    val kind = PackedVarint.number(PackedVarint.read(row, 0, row.length)) >>> 3
    if (kind != fields.options) notOptions(fields.nameOf(kind))
    decodeCanonical(row, 0, row.length): Unit
  }

  /** Held terms that a filter left unmade have no size yet. */
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
    // The row is canonical now. So it repeats a lazy term, which is made now and is not UTF-8.
    catch { case NonCanonical => noUtf8(Utf8.Invalid) }
  }

  private def canonicalRow(bytes: Array[Byte], start: Int, end: Int): Array[Byte] = {
    val canonical = walker.canonicalRow(bytes, start, end)
    if (canonical.length == 0) noKind()
    canonical
  }

  /** @param kind
    *   the number of the row's field
    * @param start
    *   where the row begins
    * @param from
    *   where the content of the field begins
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

  /** Options rows are few, and their fields may come in any order. */
  private def takeOptions(bytes: Array[Byte], start: Int, from: Int, to: Int): Unit =
    if (firstOptions == null && opened != null && opened.isRow(bytes, start, to)) reopen()
    else {
      walker.checkRow(bytes, start, to)
      val found = format.newOptions()
      found.read(bytes, from, to)
      if (firstOptions == null) {
        open(found)
        opened = OpenedStream(bytes, start, to, found, lookups, entries, fast)
      } else if (found.content != firstOptions.content)
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

  /** Opens a stream with the options row of the last one. */
  private def reopen(): Unit = {
    format.begin(opened.options): Unit
    opened.lookups.restart()
    lookups = opened.lookups
    entries = opened.entries
    fast = opened.fast
    firstOptions = opened.options
  }
}

/** What a decoder makes of a stream's first options row.
  *
  * @param row
  *   the bytes of the row
  * @param fast
  *   null where reading is strict
  */
private final class OpenedStream(
    row: Array[Byte],
    val options: OptionsMessage,
    val lookups: Lookups,
    val entries: EntryDecoder,
    val fast: FastRows
) {

  /** Whether the bytes from `from` to before `to` are the same options row. */
  def isRow(bytes: Array[Byte], from: Int, to: Int): Boolean =
    Arrays.equals(row, 0, row.length, bytes, from, to)
}

private object OpenedStream {
  // In bytes. A longer row has a long name of the stream.
  private final val MaxRow = 1 << 10

  /** What the options row from `from` to before `to` has made; null if the row is long. */
  def apply(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      options: OptionsMessage,
      lookups: Lookups,
      entries: EntryDecoder,
      fast: FastRows
  ): OpenedStream =
    if (to - from > MaxRow) null
    else new OpenedStream(Arrays.copyOfRange(bytes, from, to), options, lookups, entries, fast)
}
