package org.jellyspark.jena.riot

import org.jellyspark.OptionException
import org.jellyspark.core.formats.{ReaderFactory, RowFormat, WriterFactory}
import org.jellyspark.core.rows.Column

/** Turtle, TriG, N3, RDF/XML and JSON-LD, read with RIOT, Jena's parsers. Read-only.
  */
private[riot] object RdfFormat extends RowFormat {
  import Column.{Seq => _, _}

  override def shortName: String = "rdf"

  override def title: String = "RDF"

  override def extension: String = Syntax.Turtle.extensions.head

  override def columns(options: Map[String, String]): Seq[Column] =
    if (RdfOptions.namespaces(options)) allColumns
    else allColumns.filter(column => column != Name && column != Value)

  override val allColumns: Seq[Column] =
    List(Subject, Predicate, Object, Graph, Name, Value, Frame, Column.Seq)

  override val optionNames: Seq[String] = RdfOptions.Keys

  override def kindOf(file: String, options: Map[String, String]): String =
    RdfOptions(options).syntaxOf(file).name

  override def reader(options: Map[String, String]): ReaderFactory = {
    val parsed = RdfOptions(options)
    (in, file, _) => new RdfReader(in, file, parsed)
  }

  override def writer(options: Map[String, String]): WriterFactory =
    throw new OptionException(
      "rdf can be read, not written, by Spark: write ntriples or nquads, of which jelly-spark " +
        "convert makes Turtle or TriG"
    )
}
