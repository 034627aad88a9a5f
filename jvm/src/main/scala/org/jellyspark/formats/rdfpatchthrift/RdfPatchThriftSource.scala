package org.jellyspark.formats.rdfpatchthrift

import org.jellyspark.source.FileSource

/** Spark's data source `rdf_patch_thrift`. */
final class RdfPatchThriftSource extends FileSource(RdfPatchThrift)
