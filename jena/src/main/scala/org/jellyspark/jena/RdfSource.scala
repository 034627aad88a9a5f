package org.jellyspark.jena

import org.jellyspark.jena.riot.RdfFormat
import org.jellyspark.source.FileSource

/** The Spark data source `rdf`, which is read-only: Turtle, TriG, N3, RDF/XML and JSON-LD, with
  * Jena's parsers.
  */
final class RdfSource extends FileSource("rdf", RdfFormat) {

  /** The short name, if Jena is on the class path. Otherwise the name of this class, so that Spark
    * finds the data source `rdf` of the Python package: the jar has other uses, without Jena.
    */
  override def shortName(): String =
    if (RdfFormat.hasJena) super.shortName() else classOf[RdfSource].getName
}
