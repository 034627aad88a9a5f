package org.jellyspark.jelly.decoding

import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows.{Column, RowOp}
import org.jellyspark.core.terms.TermFactory
import org.jellyspark.jelly.wire._
import org.jellyspark.jelly.{OptionsMessage, ReadOptions}

/** Decodes what one of the Jelly formats has for itself: its options, and all rows but options and
  * lookup entries. [[JellyDecoder]] does the rest, and calls this one.
  *
  * A format reads the terms of a row in canonical form, as far as the request wants them, and
  * throws [[NonCanonical]] where a row has another form.
  *
  * @param schema
  *   the format's messages
  * @param fields
  *   the numbers of a row's fields
  * @param isRestart
  *   whether reading begins at a restart point, where a stream refers to nothing before
  */
private[jellyspark] abstract class FormatDecoder(
    val options: ReadOptions,
    val request: BatchRequest,
    val isRestart: Boolean,
    schema: MessageSchema,
    val fields: RowFields
) {
  import FormatDecoder._

  /** The content of the row that was decoded last. */
  final val row = new DecodedRow

  /** Whether terms and texts are decoded at all. If not, only the op of each row is. */
  final val readsTerms: Boolean = options.strict || wantsTerms(request)

  private[jelly] final val walker = new MessageWalker(schema)

  /** Checks the sizes of rows. */
  private[jelly] final val sizes = new RowSizes(options.rowLimit)

  /** Decodes statements and graphs; null before the options. */
  final var statements: StatementDecoder = _

  private[this] var factory: TermFactory = _
  private[this] var valueReader: TermReader = _
  private[this] var dropReader: TermReader = _

  /** A new, empty message of the format's options. */
  def newOptions(): OptionsMessage

  /** Takes the first options row. The sizes of the lookup tables are checked elsewhere.
    *
    * @return
    *   the check of terms against the options; null for no check
    * @throws MalformedRowException
    *   if the options break the format
    */
  def begin(options: OptionsMessage): FeatureCheck

  /** Decodes a row of the format's own.
    *
    * @param kind
    *   the number of the row's field
    * @return
    *   the row's op; null if it is not a row for the reader
    * @throws MalformedRowException
    *   if it breaks the format
    * @throws NonCanonical
    *   if it is not in canonical form
    */
  def decode(kind: Int, bytes: Array[Byte], from: Int, to: Int): RowOp

  /** The field of a row that adds a statement at this place of the stream;
    * [[FormatDecoder.NoField]] if statements may not stand here.
    */
  def addField: Int

  /** As [[addField]], for the field that deletes a statement. */
  def deleteField: Int

  /** The number of positions that the messages of these fields have: [[Position.OfTriple]] or
    * [[Position.OfQuad]].
    */
  def positions: Int

  /** Forgets what the options and the rows of the stream have set. */
  protected def forget(): Unit

  /** Begins another stream, before its options. */
  private[jelly] final def restart(): Unit = {
    forget()
    row.restart()
    if (statements != null) statements.restart()
  }

  /** Takes the end of a frame; returns the op of the row that it is for the reader, null for none.
    */
  def endFrame(): RowOp

  /** Checks that the stream may end here.
    *
    * @throws MalformedRowException
    *   if it may not
    */
  def checkEnd(): Unit

  /** Checks that a restart point may follow.
    *
    * @throws MalformedRowException
    *   if it may not
    */
  def checkRestart(): Unit

  /** The number of Jelly-RDF's namespace declarations so far. */
  def namespaces: Long

  /** Whether these are rows for the reader. */
  def namespacesAreRows: Boolean

  /** Begins to decode rows, after the first options row. */
  private[jelly] final def start(lookups: Lookups, features: FeatureCheck): Unit = {
    factory = lookups.factory
    statements = new StatementDecoder(options, request, lookups, row, walker, features, isRestart)
    val wantsValue = options.strict || request.columns.contains(Column.Value)
    valueReader = TermReader.unfiltered(lookups, wantsValue)
    dropReader = TermReader.unfiltered(lookups, isWanted = false)
  }

  /** Decodes the value of a row, which may be any term. */
  protected final def readValue(kind: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    valueReader.read(kind, bytes, from, to)
    row.value = valueReader.term
  }

  /** Decodes a term that no column shows: the following IRIs may refer to its ids. */
  protected final def dropTerm(kind: Int, bytes: Array[Byte], from: Int, to: Int): Unit =
    dropReader.read(kind, bytes, from, to)

  /** Decodes the name of a row. */
  protected final def readName(bytes: Array[Byte], from: Int, to: Int): Unit = {
    val text = factory.text(bytes, from, to)
    if (text == null) throw NonCanonical
    row.name = text
  }

  /** Sets the name of a row to the empty text, which it is without a field. */
  protected final def clearName(): Unit = row.name = factory.text(Array.emptyByteArray, 0, 0)

  /** Reads a message whose fields are messages and texts.
    *
    * @param read
    *   takes the number of a field, and where its content begins and ends
    */
  protected final def readFields(bytes: Array[Byte], start: Int, end: Int)(
      read: (Int, Int, Int) => Unit
  ): Unit = {
    var at = start
    var last = 0
    while (at < end) {
      val tag = bytes(at).toInt
      val field = tag >>> 3
      if ((tag & 7) != Wire.LengthDelimited || field <= last) throw NonCanonical
      val length = PackedVarint.read(bytes, at + 1, end)
      val from = PackedVarint.next(length)
      at = from + PackedVarint.number(length)
      if (at < from || at > end) throw NonCanonical
      read(field, from, at)
      last = field
    }
  }
}

private[jellyspark] object FormatDecoder {

  /** In place of the number of a field. */
  final val NoField = 0

  private def wantsTerms(request: BatchRequest): Boolean =
    (request.columns ++ request.filter.columns.keys).exists {
      case _: Column.TermColumn | _: Column.TextColumn => true
      case _                                           => false
    }
}
