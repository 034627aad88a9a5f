package org.jellyspark.jena.riot

import org.jellyspark.{JellySparkException, OptionException}
import org.jellyspark.core.formats.{ReaderFactory, RowFormat, WriterFactory}
import org.jellyspark.core.rows.Column

/** Turtle, TriG, N3, RDF/XML and JSON-LD, read with RIOT, Jena's parsers. Read-only.
  *
  * This object and its options need no class of Jena, because Spark looks at all data sources of a
  * session, which may not have Jena.
  */
private[jena] object RdfFormat extends RowFormat {
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
    checkJena()
    val parsed = RdfOptions(options)
    (in, file, _) => {
      checkJena() // on the executor
      new RdfReader(in, file, parsed)
    }
  }

  override def writer(options: Map[String, String]): WriterFactory =
    throw new OptionException("rdf can be read, not written")

  /** Whether Jena's parsers are on the class path. */
  def hasJena: Boolean =
    try {
      Class.forName("org.apache.jena.riot.RDFParser", false, getClass.getClassLoader)
      true
    } catch { case _: ClassNotFoundException => false }

  private def checkJena(): Unit = if (!hasJena) {
    throw new JellySparkException(
      "reading rdf on the JVM needs Apache Jena on the driver and the executors: add jena-arq to " +
        "the session, for example with --packages org.apache.jena:jena-arq:5.6.0"
    )
  }
}
