package org.jellyspark.formats.rdfpatch

import org.jellyspark.source.FileSource

/** Spark's data source `rdf_patch`. */
final class RdfPatchSource extends FileSource(RdfPatch)
