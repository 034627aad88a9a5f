package org.jellyspark.jelly.decoding

import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows.{Column, RowOp}
import org.jellyspark.core.terms.TermFactory
import org.jellyspark.jelly.wire._
import org.jellyspark.jelly.{OptionsMessage, ReadOptions}

/** Decodes what is specific to one of the Jelly formats: its options, and all rows except options
  * and lookup entries. [[JellyDecoder]] decodes the rest and calls this class.
  *
  * A format decodes rows in canonical form, and only the terms that are requested. It throws
  * [[NonCanonical]] for a row in any other form.
  *
  * @param rows
  *   the fields of a row
  * @param isRestart
  *   whether reading begins at a restart point, where a stream must not refer to earlier rows
  */
private[jellyspark] abstract class FormatDecoder(
    val options: ReadOptions,
    val request: BatchRequest,
    val isRestart: Boolean,
    val rows: RowSchema
) {
  import FormatDecoder._

  /** The content of the last decoded row. */
  final val row = new DecodedRow

  /** Whether terms and text are decoded. If not, only the op of each row is. */
  final val readsTerms: Boolean = wantsTerms(request)

  private[jelly] final val walker = new MessageWalker(rows, options.rowLimit)

  /** Checks the sizes of rows. */
  private[jelly] final val sizes = new RowSizes(options.rowLimit)

  /** Decodes statements and graphs. Null before the options. */
  final var statements: StatementDecoder = _

  private[this] var factory: TermFactory = _
  private[this] var valueReader: TermReader = _
  private[this] var dropReader: TermReader = _

  /** Applies the options of the first options row. The caller checks the sizes of the lookup
    * tables.
    *
    * @return
    *   the check of terms against the options; null if no check is needed
    * @throws MalformedRowException
    *   if the options are not valid for the format
    */
  def begin(options: OptionsMessage): FeatureCheck

  /** Decodes a row that is specific to the format.
    *
    * @param kind
    *   the field number of the row
    * @return
    *   the op of the row; null if readers do not return it
    * @throws MalformedRowException
    *   if the row is malformed
    * @throws NonCanonical
    *   if it is not in canonical form
    */
  def decode(kind: Int, bytes: Array[Byte], from: Int, to: Int): RowOp

  /** The field of a row that adds a statement at this point of the stream, or
    * [[FormatDecoder.NoField]] if statements are not allowed here.
    */
  def addField: Int

  /** Like [[addField]], but for a row that deletes a statement. */
  def deleteField: Int

  /** The number of positions in the messages of these fields: [[Position.OfTriple]] or
    * [[Position.OfQuad]].
    */
  def positions: Int

  /** Resets what the options and the rows of the stream have set. */
  protected def forget(): Unit

  /** Begins another stream, before its options. */
  private[jelly] final def restart(): Unit = {
    forget()
    row.restart()
    if (statements != null) statements.restart()
  }

  /** Handles the end of a frame.
    *
    * @return
    *   the op of the row that readers return for it; null if there is none
    */
  def endFrame(): RowOp

  /** Checks that the stream may end here.
    *
    * @throws MalformedRowException
    *   if the stream must not end here
    */
  def checkEnd(): Unit = ()

  /** Checks that a restart point may follow.
    *
    * @throws MalformedRowException
    *   if no restart point may follow
    */
  def checkRestart(): Unit = ()

  /** Whether the format has transactions. An index may say that one is open anyway. */
  def hasTransactions: Boolean = true

  /** The number of Jelly-RDF's namespace declarations so far. */
  def namespaces: Long = 0

  /** Whether readers return namespace declarations as rows. */
  def namespacesAreRows: Boolean = true

  /** Starts decoding rows, after the first options row. */
  private[jelly] final def start(lookups: Lookups, features: FeatureCheck): Unit = {
    factory = lookups.factory
    statements = new StatementDecoder(options, request, lookups, row, walker, features, isRestart)
    valueReader = TermReader.unfiltered(lookups, request.columns.contains(Column.Value))
    dropReader = TermReader.unfiltered(lookups, isWanted = true)
  }

  /** Decodes the value of a row, which may be any term. */
  protected final def readValue(kind: Int, bytes: Array[Byte], from: Int, to: Int): Unit = {
    valueReader.read(kind, bytes, from, to)
    row.value = valueReader.term
  }

  /** Decodes a term that is in no column: it must be well-formed, and later IRIs may be relative to
    * its ids.
    */
  protected final def dropTerm(kind: Int, bytes: Array[Byte], from: Int, to: Int): Unit =
    dropReader.read(kind, bytes, from, to)

  /** Decodes the name of a row. */
  protected final def readName(bytes: Array[Byte], from: Int, to: Int): Unit = {
    val text = factory.text(bytes, from, to)
    if (text == null) throw NonCanonical
    row.name = text
  }

  /** Sets the name of a row to the empty string, the value of an absent field. */
  protected final def clearName(): Unit = row.name = factory.text(Array.emptyByteArray, 0, 0)

  /** Reads a message whose fields are messages and text.
    *
    * @param read
    *   a function of the number of a field and the indexes at which its content begins and ends
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

  /** Stands for a field number where there is no field. */
  final val NoField = 0

  private def wantsTerms(request: BatchRequest): Boolean =
    (request.columns ++ request.filter.columns.keys).exists {
      case _: Column.TermColumn | _: Column.TextColumn => true
      case _                                           => false
    }
}

/** Creates decoders of a Jelly format with fixed options. */
private[jellyspark] trait DecoderFactory extends Serializable {

  /** Creates a decoder.
    *
    * @param isRestart
    *   whether reading begins at a restart point
    */
  def newDecoder(request: BatchRequest, isRestart: Boolean): FormatDecoder
}
