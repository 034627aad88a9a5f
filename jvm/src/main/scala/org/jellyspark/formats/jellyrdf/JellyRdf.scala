package org.jellyspark.formats.jellyrdf

import org.jellyspark.core.formats._
import org.jellyspark.core.rows.Column
import org.jellyspark.jelly.ReadOptions
import org.jellyspark.jelly.decoding.{DecoderFactory, JellyFormat}

/** The Jelly-RDF format: triples and quads in Jelly's binary form. */
object JellyRdf extends JellyFormat {
  import Column.{Seq => _, _}

  override def shortName: String = "jelly_rdf"

  override def title: String = "Jelly-RDF"

  override def extension: String = ".jelly"

  override def columns(options: Map[String, String]): Seq[Column] =
    if (JellyRdfOptions.namespaces(new OptionParser(options))) allColumns
    else allColumns.filter(column => column != Name && column != Value)

  override val allColumns: Seq[Column] =
    List(Subject, Predicate, Object, Graph, Name, Value, Frame, Column.Seq)

  override val optionNames: scala.Seq[String] =
    (JellyRdfOptions.Keys ++ ReadOptions.Keys).distinct

  override protected def decoders(options: Map[String, String]): DecoderFactory = {
    val parser = new OptionParser(options)
    decoders(ReadOptions.parse(parser), JellyRdfOptions.namespaces(parser))
  }

  private def decoders(options: ReadOptions, namespaces: Boolean): DecoderFactory =
    new JellyRdfDecoder(options, namespaces, _, _)

  /** Creates a factory of readers with parsed options.
    *
    * @param namespaces
    *   whether to return namespace declarations as rows
    */
  def reader(options: ReadOptions, namespaces: Boolean): ReaderFactory =
    reader(decoders(options, namespaces))

  override def writer(options: Map[String, String]): WriterFactory = writer(
    JellyRdfOptions(options)
  )

  /** Creates a factory of writers with parsed options. */
  def writer(options: JellyRdfOptions): WriterFactory =
    out => new RowWriter(new JellyRdfEncoder(out, options), allColumns)
}
