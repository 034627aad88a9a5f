package org.jellyspark.jelly.wire

import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.jelly.ProtoSchema

/** Compares the field numbers that both formats share with the schemas. */
class WireSuite extends AnyFunSuite {

  test("frames") {
    Seq("RdfStreamFrame", "RdfPatchFrame").foreach { message =>
      assert(ProtoSchema.message(message)("rows") == Wire.FrameRows)
    }
    assert(ProtoSchema.message("RdfStreamFrame")("metadata") == Wire.FrameMetadata)
  }

  test("options") {
    import Wire.Options._
    val expected = Set(
      "generalized_statements" -> Generalized,
      "rdf_star" -> RdfStar,
      "max_name_table_size" -> MaxNameTableSize,
      "max_prefix_table_size" -> MaxPrefixTableSize,
      "max_datatype_table_size" -> MaxDatatypeTableSize,
      "version" -> Version
    )
    Seq("RdfStreamOptions", "RdfPatchOptions").foreach { message =>
      assert(expected.subsetOf(ProtoSchema.message(message).toSet))
    }
  }

  test("the entries of the three lookups") {
    val expected = Map("id" -> Wire.Entry.Id, "value" -> Wire.Entry.Value)
    Seq("RdfNameEntry", "RdfPrefixEntry", "RdfDatatypeEntry")
      .foreach(message => assert(ProtoSchema.message(message) == expected))
  }
}
