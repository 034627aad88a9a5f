package org.jellyspark.source

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

private[jellyspark] object DataSources {

  /** All data sources. */
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
