package org.jellyspark.formats.rdfpatchthrift

import java.io.InputStream

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.formats._
import org.jellyspark.core.rows.Column

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
