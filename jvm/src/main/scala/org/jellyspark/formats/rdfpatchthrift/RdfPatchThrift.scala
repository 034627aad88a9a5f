package org.jellyspark.formats.rdfpatchthrift

import java.io.{InputStream, OutputStream}

import org.jellyspark.core.formats._
import org.jellyspark.core.rows.Column

/** RDF Patch in Apache Jena's binary form, which is based on RDF Thrift. */
object RdfPatchThrift extends RowFormat {
  override def shortName: String = "rdf_patch_thrift"

  override def title: String = "RDF Patch Thrift"

  override def extension: String = ".trp"

  override def columns(options: Map[String, String]): Seq[Column] = Column.ofPatches

  override val optionNames: Seq[String] = Seq(RowFormat.StrictKey)

  override def reader(options: Map[String, String]): ReaderFactory =
    reader(RowFormat.strict(new OptionParser(options)))

  /** A factory of readers.
    *
    * @param strict
    *   whether breaking the rules on transactions is an error
    */
  def reader(strict: Boolean): ReaderFactory = new ThriftReaderFactory(strict)

  override def writer(options: Map[String, String]): WriterFactory = ThriftWriterFactory
}

private final class ThriftReaderFactory(strict: Boolean) extends ReaderFactory {
  override def open(in: InputStream, file: String, part: FilePart): RowReader =
    new ThriftReader(in, file, strict)
}

private object ThriftWriterFactory extends WriterFactory {
  override def open(out: OutputStream): RowWriter = new PatchWriter(new ThriftEncoder(out))
}
