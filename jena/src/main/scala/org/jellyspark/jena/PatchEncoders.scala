package org.jellyspark.jena

import org.apache.jena.rdfpatch.RDFPatch
import org.apache.spark.sql.Encoder

import org.jellyspark.jena.codecs.{CodecEncoder, PatchCodec}

/** The encoder with which Spark stores Jena's patches as Jelly-Patch. It requires `jena-rdfpatch`,
  * which [[JenaEncoders]] does not.
  *
  * {{{
  * import org.jellyspark.jena.PatchEncoders._
  *
  * val patches: Dataset[RDFPatch] = spark.createDataset(Seq(patch1, patch2))
  * }}}
  *
  * A patch is stored as one binary value: an undelimited Jelly-Patch frame, like the results of
  * `to_jelly_patch`. Decoding returns a patch like those of `RDFPatchOps.collect`, and equal to the
  * original if that was created in the same way.
  */
object PatchEncoders {

  /** The encoder of patches. A transaction that is not closed is an error. */
  implicit val patchEncoder: Encoder[RDFPatch] = CodecEncoder.binary(PatchCodec)
}
