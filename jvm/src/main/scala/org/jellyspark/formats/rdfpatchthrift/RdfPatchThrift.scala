package org.jellyspark.formats.rdfpatchthrift

import java.io.InputStream

import org.jellyspark.MalformedInputException
import org.jellyspark.core.errors.{MalformedRowException, RowLimit}
import org.jellyspark.core.formats._
import org.jellyspark.core.rows.{Column, Row, RowNumbering, RowOp, RowSize}

/** The RDF Patch format in Apache Jena's binary form, which is based on RDF Thrift. */
object RdfPatchThrift extends RowFormat {
  override def shortName: String = "rdf_patch_thrift"

  override def title: String = "RDF Patch Thrift"

  override def extension: String = ".trp"

  override def columns(options: Map[String, String]): Seq[Column] = Column.ofPatches

  override val optionNames: Seq[String] = RowFormat.ReadKeys

  override def reader(options: Map[String, String]): ReaderFactory = {
    val parser = new OptionParser(options)
    reader(RowFormat.strict(parser), RowFormat.rowLimit(parser))
  }

  /** Creates a factory of readers.
    *
    * @param strict
    *   whether violations of the rules on transactions are errors
    */
  def reader(strict: Boolean, rowLimit: RowLimit = RowLimit.Default): ReaderFactory =
    new ThriftReaderFactory(strict, rowLimit)

  override def writer(options: Map[String, String]): WriterFactory =
    out => new PatchWriter(new ThriftEncoder(out))
}

private final class ThriftReaderFactory(strict: Boolean, rowLimit: RowLimit) extends ReaderFactory {
  override def open(in: InputStream, file: String, part: FilePart): RowReader =
    new ThriftReader(new CompactProtocolReader(in, rowLimit), file, strict, rowLimit)

  override def openMessage(message: Array[Byte], name: String): RowReader =
    new ThriftReader(CompactProtocolReader.of(message, rowLimit), name, strict, rowLimit)
}

/** Reads the rows of one RDF Patch Thrift file. Memory grows with the longest row.
  *
  * Most rows are statements, in whose bytes [[scan]] makes the terms. `next` decodes any row.
  *
  * @param bytes
  *   the bytes of the file
  * @param file
  *   the name of the file in error messages
  * @param strict
  *   whether violations of the rules on transactions are errors
  * @param rowLimit
  *   the longest row
  */
private final class ThriftReader(
    bytes: CompactProtocolReader,
    file: String,
    strict: Boolean,
    rowLimit: RowLimit
) extends ScanningReader {
  private[this] val scanner = new StatementStructs
  private[this] val decoder = new ThriftDecoder(bytes, rowLimit)
  private[this] val numbering = new RowNumbering(strict)
  // The longest row whose terms cannot be too long as text: a byte of text becomes at most six, and
  // the fields around a text have at least half as many bytes as the syntax around it.
  private[this] val shortRow = rowLimit.bytes / 8
  // The number of rows read so far.
  private[this] var count = 0L

  override val row = new Row

  override def terms: StatementRanges = scanner

  override def buffer: Array[Byte] = bytes.buffer

  override def offset: Long = bytes.offset

  override def scan(): Boolean = {
    val buffer = bytes.buffer
    val end = scanner.scan(buffer, bytes.pos, bytes.limit)
    val isFound = end != StatementStructs.NeedsDecoder && end - bytes.pos <= shortRow
    isFound && {
      scanner.makeCanonical(buffer)
      row.op = if (scanner.isDelete) RowOp.Delete else RowOp.Add
      numbering.number(row)
      count += 1
      bytes.pos = end
      true
    }
  }

  override def next(): Boolean = {
    val offset = bytes.offset
    try {
      if (bytes.atEnd()) {
        numbering.checkEnd()
        false
      } else {
        bytes.startRow()
        decoder.decode(row)
        val length = bytes.offset - offset
        if (length > shortRow) RowSize.check(row, length, rowLimit)
        numbering.number(row)
        count += 1
        true
      }
    } catch {
      case e: MalformedRowException =>
        throw MalformedInputException.inRow(file, offset, count, e.expected, e.found)
    }
  }
}
