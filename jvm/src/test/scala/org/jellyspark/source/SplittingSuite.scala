package org.jellyspark.source

import org.apache.hadoop.fs.Path
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.sql.LocalSession

/** The session has one core. Tests in Python read splits on several cores. */
class SplittingSuite extends AnyFunSuite with LocalSession {
  private def canSplit(source: FileSource): Boolean =
    source.isSplitable(spark, Map.empty, new Path("file"))

  test("a file whose parts are found by reading what is before them is not split on one core") {
    assert(!canSplit(new RdfPatchSource))
    assert(canSplit(new NTriplesSource) && canSplit(new JellyPatchSource))
  }
}
