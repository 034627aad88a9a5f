package org.jellyspark.jena.riot

import org.jellyspark.core.formats.{FormatProvider, RowFormat}

/** The format `rdf`, if the user has Jena. */
final class RdfFormatProvider extends FormatProvider {
  override def name: String = "rdf"

  override def isUsable: Boolean =
    try {
      Class.forName("org.apache.jena.riot.RDFParser", false, getClass.getClassLoader)
      true
    } catch { case _: ClassNotFoundException => false }

  override def format: RowFormat = RdfFormat
}
