package org.jellyspark.jelly.decoding

import java.io.{ByteArrayInputStream, InputStream}

import org.jellyspark.core.formats._
import org.jellyspark.core.rows.{Column, ColumnBatch, Row, RowFilter, RowOp}
import org.jellyspark.core.terms.{Term, TermValues}
import org.jellyspark.jelly.frames.FrameReader

/** One of the two Jelly formats. */
private[jellyspark] abstract class JellyFormat extends RowFormat {

  /** Creates a factory of decoders with these options.
    *
    * @throws org.jellyspark.OptionException
    *   if a value is not valid
    */
  protected def decoders(options: Map[String, String]): DecoderFactory

  override def canSplit: Boolean = true

  override def reader(options: Map[String, String]): ReaderFactory = reader(decoders(options))

  /** Creates a factory that reads all columns with these decoders. */
  protected final def reader(decoders: DecoderFactory): ReaderFactory =
    new JellyReaderFactory(decoders, allColumns)

  override def batchReader(
      options: Map[String, String],
      request: BatchRequest
  ): BatchReaderFactory = new JellyBatchReaderFactory(decoders(options), request)

  override def messageReader(
      options: Map[String, String],
      request: BatchRequest,
      name: String
  ): MessageReader =
    new JellyMessageReader(decoders(options).newDecoder(request, isRestart = false), name)
}

private final class JellyReaderFactory(decoders: DecoderFactory, columns: Seq[Column])
    extends ReaderFactory {
  override def open(in: InputStream, file: String, part: FilePart): RowReader = {
    val request = BatchRequest(columns.toSet, RowFilter.All, TermValues)
    val decoder = decoders.newDecoder(request, isRestart = false)
    val frames = new FrameReader(in, file, longestRow = decoder.options.rowLimit)
    new JellyReader(new RangeReader(frames, decoder))
  }
}

/** Reads the rows of one Jelly file or stream.
  *
  * @param rows
  *   the rows, with all columns, whose terms are objects
  */
private final class JellyReader(rows: RangeReader) extends RowReader {
  private[this] val decoded = rows.row

  override val row = new Row

  override def next(): Boolean = {
    val op = rows.next()
    if (op != null) fill(op)
    op != null
  }

  private def fill(op: RowOp): Unit = {
    row.clear()
    row.op = op
    if (DecodedRow.isStatement(op)) {
      row.subject = term(Position.Subject)
      row.predicate = term(Position.Predicate)
      row.obj = term(Position.Object)
      Column.Graph.set(row, term(Position.Graph))
    } else if (op.hasName) {
      row.name = decoded.name.asInstanceOf[String]
      row.value = decoded.value.asInstanceOf[Term]
      if (decoded.hasGraph) Column.Graph.set(row, term(Position.Graph))
    }
    row.patch = rows.numbering.patch
    row.transaction = rows.numbering.transaction
    row.frame = rows.frame
    row.seq = rows.numbering.seq
  }

  private def term(position: Int): Term = decoded.terms(position).asInstanceOf[Term]
}

/** Reads messages that are Jelly streams, all with the same decoder.
  *
  * @param name
  *   shown instead of a file name in error messages
  */
private final class JellyMessageReader(decoder: FormatDecoder, name: String) extends MessageReader {
  import JellyMessageReader._

  private[this] val in = new MessageInput
  private[this] val rows =
    new RangeReader(new FrameReader(in, name, longestRow = decoder.options.rowLimit), decoder)
  private[this] val columns = new RequestedColumns(decoder.request.columns)
  // The number of rows to make room for in the next message: those of the last one plus one, so
  // that the end of the message is found before the batch is full.
  private[this] var room = FirstRoom

  override def read(message: Array[Byte]): ColumnBatch = {
    in.open(message)
    rows.restart()
    val batch = rows.newBatch(columns, room)
    while (rows.fill(batch)) batch.extend()
    room = math.min(batch.size + 1, MaxRoom)
    batch.result
  }
}

private object JellyMessageReader {
  private final val FirstRoom = 16
  private final val MaxRoom = ColumnBatch.MaxRows
}

/** The bytes of the current message. */
private final class MessageInput extends ByteArrayInputStream(Array.emptyByteArray) {

  /** Begins another message. */
  def open(message: Array[Byte]): Unit = {
    buf = message
    pos = 0
    count = message.length
  }
}
