package org.jellyspark.jena

import org.apache.jena.rdfpatch.RDFPatch
import org.apache.spark.sql.Encoder

import org.jellyspark.jena.codecs.{CodecEncoder, PatchCodec}

/** The encoder with which Spark keeps Jena's patches as Jelly-Patch. It needs `jena-rdfpatch`,
  * which [[JenaEncoders]] does not.
  *
  * {{{
  * import org.jellyspark.jena.PatchEncoders._
  *
  * val patches: Dataset[RDFPatch] = spark.createDataset(Seq(patch1, patch2))
  * }}}
  *
  * A patch is one binary value: an undelimited Jelly-Patch frame, as `to_jelly_patch` makes them.
  * It comes back as `RDFPatchOps.collect` makes patches, equal to one that was made so.
  */
object PatchEncoders {

  /** The encoder of patches. A transaction that is not closed is an error. */
  implicit val patchEncoder: Encoder[RDFPatch] = CodecEncoder.binary(PatchCodec)
}
