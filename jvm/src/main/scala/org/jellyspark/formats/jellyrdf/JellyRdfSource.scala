package org.jellyspark.formats.jellyrdf

import org.jellyspark.source.FileSource

/** Spark's data source `jelly_rdf`. */
final class JellyRdfSource extends FileSource(JellyRdf)
