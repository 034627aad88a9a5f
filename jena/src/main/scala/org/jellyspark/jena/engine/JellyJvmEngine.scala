package org.jellyspark.jena.engine

import java.io.{InputStream, OutputStream}

import org.jellyspark.core.formats._
import org.jellyspark.formats.jellyrdf.{JellyRdf, JellyRdfOptions}
import org.jellyspark.jelly.{ReadOptions, StreamOptions}

/** The engine `jelly-jvm`, which reads and writes Jelly-RDF with jelly-core, the reference
  * implementation.
  *
  * It uses the terms of this project rather than Jena's, because Jena changes some terms: it
  * converts language tags to canonical form.
  */
final class JellyJvmEngine extends Engine {
  override def name: String = "jelly-jvm"

  override def format: String = JellyRdf.shortName

  override val missingOptions: Seq[String] = StreamOptions.RestartIntervalKey +: RowFormat.ReadKeys

  override def reader(options: Map[String, String]): ReaderFactory = {
    val parser = new OptionParser(options)
    new JellyJvmReaderFactory(ReadOptions.parse(parser), JellyRdfOptions.namespaces(parser))
  }

  override def writer(options: Map[String, String]): WriterFactory =
    new JellyJvmWriterFactory(JellyRdfOptions(options))
}

private final class JellyJvmReaderFactory(options: ReadOptions, namespaces: Boolean)
    extends ReaderFactory {
  override def open(in: InputStream, file: String, part: FilePart): RowReader =
    new JellyJvmReader(in, file, options, namespaces)
}

private final class JellyJvmWriterFactory(options: JellyRdfOptions) extends WriterFactory {
  override def open(out: OutputStream): RowWriter =
    new RowWriter(new JellyJvmEncoder(out, options), JellyRdf.allColumns)
}
