package org.jellyspark.formats.jellypatch

import org.jellyspark.source.FileSource

/** Spark's data source `jelly_patch`. */
final class JellyPatchSource extends FileSource(JellyPatch)
