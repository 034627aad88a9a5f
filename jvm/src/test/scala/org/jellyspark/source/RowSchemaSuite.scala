package org.jellyspark.source

import org.apache.spark.sql.types.{StringType, StructField, StructType}
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.JellySparkException
import org.jellyspark.core.formats.RowFormat
import org.jellyspark.core.rows.Column
import org.jellyspark.formats.jellyrdf.JellyRdf
import org.jellyspark.formats.rdfpatch.RdfPatch

class RowSchemaSuite extends AnyFunSuite {
  private val schema = new StructType().add("OP", StringType).add("Value", StringType)

  private def messageFor(corruptColumn: String, schema: StructType): String =
    intercept[JellySparkException] {
      new RowSchema(RdfPatch, Column.ofPatches, corruptColumn).check(schema)
    }.getMessage

  test("column names are case-insensitive, also that of the column of malformed rows") {
    new RowSchema(RdfPatch, Column.ofPatches, null).check(schema)
    new RowSchema(RdfPatch, Column.ofPatches, "Bad").check(schema.add("bAD", StringType))
    assert(messageFor(null, schema.add("bad", StringType)).contains("has no column 'bad'"))
    assert(messageFor("bad", schema.add("bads", StringType)).endsWith("patch, tx, seq, bad"))
  }

  test("the column of malformed rows must not be a column of the format") {
    assert(
      messageFor("value", schema) ==
        "'value' is a column of RDF Patch and cannot hold the text of malformed rows: " +
        "set columnNameOfCorruptRecord to another name"
    )
  }

  test("a schema needs op or, in a format without op, the columns of a statement") {
    def complete(format: RowFormat, names: String*): Unit = {
      val fields = names.map(StructField(_, StringType))
      new RowSchema(format, format.allColumns, null).checkComplete(StructType(fields))
    }
    complete(RdfPatch, "OP")
    complete(JellyRdf, "object", "Predicate", "subject")
    Seq(RdfPatch -> "op", JellyRdf -> "predicate").foreach { case (format, missing) =>
      val error = intercept[JellySparkException](complete(format, "subject", "object"))
      assert(error.getMessage == s"${format.title} needs the column '$missing'")
    }
  }
}
