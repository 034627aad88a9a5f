package org.jellyspark.source

import org.jellyspark.formats.jellypatch.JellyPatch
import org.jellyspark.formats.jellyrdf.JellyRdf
import org.jellyspark.formats.ntriples.{NQuadsFormat, NTriplesFormat}
import org.jellyspark.formats.rdfpatch.RdfPatch
import org.jellyspark.formats.rdfpatchthrift.RdfPatchThrift
import org.jellyspark.formats.sparqlupdate.SparqlUpdate

// The data sources, one line each. Spark instantiates the classes by name: the build lists them in
// META-INF/services/org.apache.spark.sql.sources.DataSourceRegister.

/** Spark's data source `jelly_patch`. */
final class JellyPatchSource extends FileSource("jelly_patch", JellyPatch)

/** Spark's data source `jelly_rdf`. */
final class JellyRdfSource extends FileSource("jelly_rdf", JellyRdf)

/** Spark's data source `rdf_patch`. */
final class RdfPatchSource extends FileSource("rdf_patch", RdfPatch)

/** Spark's data source `rdf_patch_thrift`. */
final class RdfPatchThriftSource extends FileSource("rdf_patch_thrift", RdfPatchThrift)

/** Spark's data source `ntriples`. */
final class NTriplesSource extends FileSource("ntriples", NTriplesFormat)

/** Spark's data source `nquads`. */
final class NQuadsSource extends FileSource("nquads", NQuadsFormat)

/** Spark's data source `sparql_update`, which can only be written. */
final class SparqlUpdateSource extends FileSource("sparql_update", SparqlUpdate)
