package org.jellyspark.source

import org.jellyspark.JellySparkException
import org.jellyspark.core.formats.{FormatProvider, RowFormat}
import org.jellyspark.formats.jellypatch.JellyPatch
import org.jellyspark.formats.jellyrdf.JellyRdf
import org.jellyspark.formats.ntriples.{NQuadsFormat, NTriplesFormat}
import org.jellyspark.formats.rdfpatch.RdfPatch
import org.jellyspark.formats.rdfpatchthrift.RdfPatchThrift
import org.jellyspark.formats.sparqlupdate.SparqlUpdate

// The data sources, one line each. Spark instantiates them by class name. The build lists the names
// in META-INF/services/org.apache.spark.sql.sources.DataSourceRegister.

/** The Spark data source `jelly_patch`. */
final class JellyPatchSource extends FileSource("jelly_patch", JellyPatch)

/** The Spark data source `jelly_rdf`. */
final class JellyRdfSource extends FileSource("jelly_rdf", JellyRdf)

/** The Spark data source `rdf_patch`. */
final class RdfPatchSource extends FileSource("rdf_patch", RdfPatch)

/** The Spark data source `rdf_patch_thrift`. */
final class RdfPatchThriftSource extends FileSource("rdf_patch_thrift", RdfPatchThrift)

/** The Spark data source `ntriples`. */
final class NTriplesSource extends FileSource("ntriples", NTriplesFormat)

/** The Spark data source `nquads`. */
final class NQuadsSource extends FileSource("nquads", NQuadsFormat)

/** The Spark data source `sparql_update`, which is write-only. */
final class SparqlUpdateSource extends FileSource("sparql_update", SparqlUpdate)

/** The Spark data source `rdf`, which is read-only. Its codec is in jelly-spark-jena.jar, and needs
  * Jena.
  */
final class RdfSource extends FileSource(RdfSource.Name, RdfSource.format) {

  /** The short name, if the session has the codec and Jena. Otherwise the name of this class, so
    * that Spark finds the data source `rdf` of the Python package.
    */
  override def shortName(): String =
    if (FormatProvider.find(RdfSource.Name) == null) classOf[RdfSource].getName
    else RdfSource.Name
}

private object RdfSource {
  val Name = "rdf"

  def format: RowFormat = {
    val provider = FormatProvider.find(Name)
    if (provider == null)
      throw new JellySparkException(
        "the data source rdf on the JVM needs jelly-spark-jena.jar and Apache Jena's jena-arq on " +
          "the driver and the executors: add both to the session"
      )
    provider.format
  }
}

private[jellyspark] object DataSources {

  /** All data sources whose codec is in this jar. */
  val all: Seq[FileSource] = Seq(
    new JellyPatchSource,
    new JellyRdfSource,
    new RdfPatchSource,
    new RdfPatchThriftSource,
    new NTriplesSource,
    new NQuadsSource,
    new SparqlUpdateSource
  )
}
