package org.jellyspark.formats.jellypatch

import java.io.{InputStream, OutputStream}

import org.jellyspark.core._
import org.jellyspark.jelly.ReadOptions

/** Jelly-Patch, RDF Patch in Jelly's binary form. */
object JellyPatch extends RowFormat {
  override def shortName: String = "jelly_patch"

  override def title: String = "Jelly-Patch"

  override def extension: String = ".jellyp"

  override def columns(options: Map[String, String]): Seq[Column] = Column.ofPatches

  override def reader(options: Map[String, String]): ReaderFactory =
    reader(ReadOptions.parse(new OptionParser(options)))

  /** As [[reader(options:Map[String,String])*]], of options that are parsed. */
  def reader(options: ReadOptions): ReaderFactory = new PatchReaderFactory(options)

  override def writer(options: Map[String, String]): WriterFactory = writer(PatchOptions(options))

  /** As [[writer(options:Map[String,String])*]], of options that are parsed. */
  def writer(options: PatchOptions): WriterFactory = new PatchWriterFactory(options)
}

private final class PatchReaderFactory(options: ReadOptions) extends ReaderFactory {
  override def open(in: InputStream, file: String, part: FilePart): RowReader =
    new PatchReader(in, file, options)
}

private final class PatchWriterFactory(options: PatchOptions) extends WriterFactory {
  override def open(out: OutputStream): RowWriter = new PatchWriter(new PatchEncoder(out, options))
}
