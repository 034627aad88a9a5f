package org.jellyspark.core.formats

import java.io.InputStream
import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.rows.{Column, ColumnBatch, Row}
import org.jellyspark.core.terms._

/** Reads whole files as columns, with a codec that reads rows. It ignores the filter of the
  * request, because Spark applies the filter again.
  */
private[formats] final class RowBatchReaderFactory(rows: ReaderFactory, request: BatchRequest)
    extends BatchReaderFactory {
  override def open(file: InputFile, part: FilePart): BatchReader = {
    val in = file.open(0, part.end)
    try new RowBatchReader(in, rows.open(in, file.name), request)
    catch {
      case e: Throwable =>
        in.close()
        throw e
    }
  }
}

private final class RowBatchReader(in: InputStream, reader: RowReader, request: BatchRequest)
    extends BatchReader {
  import RowBatchReader._

  private[this] val factory = request.terms.newFactory(RowLimit(Int.MaxValue))
  private[this] val columns = request.columns.toArray
  // The error that stopped the reader while it filled the last batch.
  private[this] var error: MalformedInputException = _
  private[this] var exhausted = false

  override def next(): ColumnBatch = {
    val batch = if (exhausted || error != null) null else fill()
    if (batch != null && batch.size > 0) batch
    else if (error != null) {
      val thrown = error
      error = null
      exhausted = true
      throw thrown
    } else null
  }

  private def fill(): ColumnBatch = {
    val batch = newBatch()
    val mayBeMade = factory.made + MaxBytes
    try {
      while (!exhausted && batch.size < MaxRows && factory.made <= mayBeMade) {
        if (reader.next()) add(reader.row, batch)
        else exhausted = true
      }
    } catch { case e: MalformedInputException => error = e }
    batch
  }

  private def newBatch(): ColumnBatch = {
    val batch = new ColumnBatch
    columns.foreach {
      case Column.Op                   => batch.ops = new Array[Byte](MaxRows)
      case column: Column.NumberColumn => batch.numbers(column.index) = new Array[Long](MaxRows)
      case column                      => batch.values(column.index) = new Array[AnyRef](MaxRows)
    }
    batch
  }

  private def add(row: Row, batch: ColumnBatch): Unit = {
    val i = batch.size
    columns.foreach {
      case Column.Op                   => batch.ops(i) = row.op.ordinal.toByte
      case column: Column.NumberColumn => batch.numbers(column.index)(i) = column.get(row)
      case column: Column.TextColumn   =>
        val text = column.get(row)
        if (text != null) batch.values(column.index)(i) = bytesOf(text)(factory.text(_, 0, _))
      case column: Column.TermColumn =>
        val term = column.get(row)
        if (term != null) batch.values(column.index)(i) = whole(term)
    }
    batch.size += 1
  }

  /** Creates the value of a term that is not part of another term. */
  private def whole(term: Term): AnyRef = {
    val value = valueOf(term)
    if (term.isInstanceOf[QuotedTriple]) factory.whole(value) else value
  }

  private def valueOf(term: Term): AnyRef = term match {
    case Iri(value)                   => bytesOf(value)(factory.iri(factory.noPrefix, _, 0, _))
    case BlankNode(label)             => bytesOf(label)(factory.blankNode(_, 0, _))
    case Literal(lex, null, datatype) =>
      val made =
        if (datatype == null) factory.noDatatype else bytesOf(datatype)(factory.datatype(_, 0, _))
      bytesOf(lex)(factory.typed(_, 0, _, made))
    case Literal(lex, lang, _) =>
      val tag = lang.getBytes(UTF_8)
      bytesOf(lex) { (lexical, length) =>
        factory.tagged(lexical ++ tag, 0, length, length, length + tag.length)
      }
    case QuotedTriple(s, p, o) => factory.quoted(valueOf(s), valueOf(p), valueOf(o))
    case DefaultGraph          => null
  }

  private def bytesOf(text: String)(make: (Array[Byte], Int) => AnyRef): AnyRef = {
    val bytes = text.getBytes(UTF_8)
    make(bytes, bytes.length)
  }

  /** Such a codec has no position at which it could continue. */
  override def skip(): Boolean = false

  override def close(): Unit = in.close()
}

private object RowBatchReader {
  // The same batch size as in Spark's own columnar readers.
  private final val MaxRows = 4096

  /** The approximate limit for the bytes of a batch's terms, not counting its last row. */
  private final val MaxBytes = 1L << 22
}
