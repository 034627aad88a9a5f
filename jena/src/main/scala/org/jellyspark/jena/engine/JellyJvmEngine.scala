package org.jellyspark.jena.engine

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

  override val missingOptions: Seq[String] =
    StreamOptions.RestartIntervalKey +: (StreamOptions.IndexKeys ++ RowFormat.ReadKeys)

  override def reader(options: Map[String, String]): ReaderFactory = {
    val parser = new OptionParser(options)
    val limits = ReadOptions.parse(parser)
    val namespaces = JellyRdfOptions.namespaces(parser)
    (in, file, _) => new JellyJvmReader(in, file, limits, namespaces)
  }

  override def writer(options: Map[String, String]): WriterFactory = {
    val parsed = JellyRdfOptions(options)
    out => new RowWriter(new JellyJvmEncoder(out, parsed), JellyRdf.allColumns)
  }
}
