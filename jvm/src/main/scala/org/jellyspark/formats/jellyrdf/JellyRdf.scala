package org.jellyspark.formats.jellyrdf

import java.io.{InputStream, OutputStream}

import org.jellyspark.core._
import org.jellyspark.jelly.ReadOptions

/** Jelly-RDF, triples and quads in Jelly's binary form. */
object JellyRdf extends RowFormat {
  import Column.{Seq => _, _}

  override def shortName: String = "jelly_rdf"

  override def title: String = "Jelly-RDF"

  override def extension: String = ".jelly"

  override def columns(options: Map[String, String]): Seq[Column] =
    if (RdfOptions.namespaces(new OptionParser(options))) allColumns
    else allColumns.filter(column => column != Name && column != Value)

  override val allColumns: Seq[Column] =
    List(Subject, Predicate, Object, Graph, Name, Value, Frame, Column.Seq)

  override def reader(options: Map[String, String]): ReaderFactory = {
    val parser = new OptionParser(options)
    reader(ReadOptions.parse(parser), RdfOptions.namespaces(parser))
  }

  /** As [[reader(options:Map[String,String])*]], of options that are parsed.
    *
    * @param namespaces
    *   whether namespaces are rows
    */
  def reader(options: ReadOptions, namespaces: Boolean): ReaderFactory =
    new RdfReaderFactory(options, namespaces)

  override def writer(options: Map[String, String]): WriterFactory = writer(RdfOptions(options))

  /** As [[writer(options:Map[String,String])*]], of options that are parsed. */
  def writer(options: RdfOptions): WriterFactory = new RdfWriterFactory(options)
}

private final class RdfReaderFactory(options: ReadOptions, namespaces: Boolean)
    extends ReaderFactory {
  override def open(in: InputStream, file: String, part: FilePart): RowReader =
    new RdfReader(in, file, options, namespaces)
}

private final class RdfWriterFactory(options: RdfOptions) extends WriterFactory {
  override def open(out: OutputStream): RowWriter =
    new EncodingWriter(new RdfEncoder(out, options), JellyRdf.allColumns)
}
