package org.jellyspark.source

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeProjection}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.rows.{Column, Row, RowOp}
import org.jellyspark.core.terms.{DefaultGraph, Iri, Literal, TermCell}

class SparkRowBuilderSuite extends AnyFunSuite {

  private val schema = StructType(
    Seq("object", "op", "subject", "graph", "predicate", "name")
      .map(StructField(_, StringType)) :+ StructField("patch", LongType)
  )
  private val builder = new SparkRowBuilder(schema, Column.ofPatches)

  private def internal(values: Any*): InternalRow = new GenericInternalRow(
    values
      .map {
        case text: String => UTF8String.fromString(text)
        case other        => other
      }
      .toArray[Any]
  )

  private val statement = internal("\"é\"", "A", "<s>", null, "<\\u0070>", "unused", 7L)

  private def textOf(cell: TermCell): String =
    if (cell.bytes == null) null else new String(cell.bytes, cell.from, cell.length, UTF_8)

  private def check(row: Row): Unit = {
    assert(row.op == RowOp.Add && row.patch == 7 && row.seq == Row.NoNumber && row.name == null)
    val cells = Seq(row.subjectCell, row.predicateCell, row.objectCell, row.graphCell)
    assert(cells.map(textOf) == Seq("<s>", "<\\u0070>", "\"é\"", null))
    assert(row.predicate == Iri("p") && row.graph == DefaultGraph)
    ()
  }

  test("strings are taken over unchanged, on the heap and off it") {
    check(builder.read(statement))
    check(builder.read(UnsafeProjection.create(schema).apply(statement)))
    val bytes = "\"é\"".getBytes(UTF_8)
    val address = Platform.allocateMemory(bytes.length.toLong)
    try {
      Platform.copyMemory(
        bytes,
        Platform.BYTE_ARRAY_OFFSET.toLong,
        null,
        address,
        bytes.length.toLong
      )
      val outside = UTF8String.fromAddress(null, address, bytes.length)
      check(builder.read(internal(outside, "A", "<s>", null, "<\\u0070>", null, 7L)))
    } finally Platform.freeMemory(address)
  }

  test("a row keeps nothing of the row before") {
    builder.read(statement)
    val row = builder.read(internal(null, "H", null, null, null, "k", null))
    assert(row.op == RowOp.Header && row.name == "k" && row.patch == Row.NoNumber)
    assert(row.subjectCell.isEmpty && row.objectCell.isEmpty && row.valueCell.isEmpty)
  }

  test("structs become terms, or an error") {
    val structs = StructType(
      Seq(StructField("op", StringType), StructField("subject", TermColumnType.AsStruct.dataType))
    )
    def read(parts: String*): Row =
      new SparkRowBuilder(structs, Column.ofPatches).read(internal("A", internal(parts: _*)))
    assert(read("literal", "x", null, "en", null).subject == Literal.tagged("x", "en"))
    assert(read("literal", "x", null, "ar", "rtl").subject == Literal.tagged("x", "ar--rtl"))
    val error = intercept[UnwritableRowException](read("iri", null, null, null, null))
    assert(error.rule == "subject: expected a value, found null")
    assert(error.row == """{"op":"A","subject":"{iri, null, null, null, null}"}""")
  }

  test("an unknown op is refused") {
    Seq("X", "a", null).foreach { code =>
      val row = internal(null, code, "<s>", null, null, null, null)
      assert(intercept[UnwritableRowException](builder.read(row)).rule == RowOp.Rule)
    }
    check(builder.read(statement))
  }
}
