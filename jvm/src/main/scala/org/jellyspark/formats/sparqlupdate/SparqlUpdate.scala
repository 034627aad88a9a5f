package org.jellyspark.formats.sparqlupdate

import org.jellyspark.OptionException
import org.jellyspark.core.formats._
import org.jellyspark.core.rows.Column
import org.jellyspark.text.TextOutput

/** The SPARQL Update format, for stores that do not read patches. It is write-only. */
object SparqlUpdate extends RowFormat {
  override def shortName: String = "sparql_update"

  override def title: String = "SPARQL Update"

  override def extension: String = ".ru"

  override def columns(options: Map[String, String]): Seq[Column] = Column.ofPatches

  override val optionNames: Seq[String] = SparqlUpdateOptions.Keys

  override def reader(options: Map[String, String]): ReaderFactory =
    throw new OptionException("sparql_update can be written, not read")

  override def writer(options: Map[String, String]): WriterFactory = {
    val parsed = SparqlUpdateOptions(options)
    out => new PatchWriter(new UpdateEncoder(new TextOutput(out), parsed))
  }
}
