package org.jellyspark.formats.jellyrdf

import java.io.{InputStream, OutputStream}

import org.jellyspark.core.formats._
import org.jellyspark.core.rows.Column
import org.jellyspark.jelly.ReadOptions
import org.jellyspark.jelly.decoding.{
  FormatDecoder,
  JellyBatchReaderFactory,
  JellyReader,
  RangeReader
}
import org.jellyspark.jelly.frames.FrameReader

/** The Jelly-RDF format: triples and quads in Jelly's binary form. */
object JellyRdf extends RowFormat {
  import Column.{Seq => _, _}

  override def shortName: String = "jelly_rdf"

  override def title: String = "Jelly-RDF"

  override def extension: String = ".jelly"

  override def canSplit: Boolean = true

  override def columns(options: Map[String, String]): Seq[Column] =
    if (JellyRdfOptions.namespaces(new OptionParser(options))) allColumns
    else allColumns.filter(column => column != Name && column != Value)

  override val allColumns: Seq[Column] =
    List(Subject, Predicate, Object, Graph, Name, Value, Frame, Column.Seq)

  override val optionNames: scala.Seq[String] =
    (JellyRdfOptions.Keys ++ ReadOptions.Keys).distinct

  override def reader(options: Map[String, String]): ReaderFactory = {
    val parser = new OptionParser(options)
    reader(ReadOptions.parse(parser), JellyRdfOptions.namespaces(parser))
  }

  /** Creates a factory of readers with parsed options.
    *
    * @param namespaces
    *   whether to return namespace declarations as rows
    */
  def reader(options: ReadOptions, namespaces: Boolean): ReaderFactory =
    new RdfReaderFactory(options, namespaces)

  override def batchReader(
      options: Map[String, String],
      request: BatchRequest
  ): JellyBatchReaderFactory = {
    val parser = new OptionParser(options)
    val namespaces = JellyRdfOptions.namespaces(parser)
    new RdfBatchReaderFactory(ReadOptions.parse(parser), namespaces, request)
  }

  override def messageReader(
      options: Map[String, String],
      request: BatchRequest,
      name: String
  ): MessageReader = batchReader(options, request).openMessages(name)

  override def writer(options: Map[String, String]): WriterFactory = writer(
    JellyRdfOptions(options)
  )

  /** Creates a factory of writers with parsed options. */
  def writer(options: JellyRdfOptions): WriterFactory = new RdfWriterFactory(options)
}

private final class RdfReaderFactory(options: ReadOptions, namespaces: Boolean)
    extends ReaderFactory {
  override def open(in: InputStream, file: String, part: FilePart): RowReader = {
    val request = JellyReader.request(JellyRdf.allColumns)
    val decoder = new JellyRdfDecoder(options, namespaces, request)
    val frames = new FrameReader(in, file, longestRow = options.rowLimit)
    new JellyReader(new RangeReader(frames, decoder, strict = false))
  }
}

private final class RdfBatchReaderFactory(
    options: ReadOptions,
    namespaces: Boolean,
    request: BatchRequest
) extends JellyBatchReaderFactory(options, request) {
  override def newDecoder(isRestart: Boolean): FormatDecoder =
    new JellyRdfDecoder(options, namespaces, request, isRestart)

  override def strictTransactions: Boolean = false
}

private final class RdfWriterFactory(options: JellyRdfOptions) extends WriterFactory {
  override def open(out: OutputStream): RowWriter =
    new EncodingWriter(new JellyRdfEncoder(out, options), JellyRdf.allColumns)
}
