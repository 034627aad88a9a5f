package org.jellyspark.source

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types._
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}
import org.apache.spark.unsafe.types.UTF8String
import org.scalatest.funsuite.AnyFunSuite

import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows._
import org.jellyspark.core.terms._
import org.jellyspark.formats.rdfpatch.RdfPatch

class BatchVectorsSuite extends AnyFunSuite {
  private val terms = Array[AnyRef](
    Iri("a:b"),
    null,
    BlankNode("b"),
    Literal.simple("x"),
    Literal.tagged("x", "en"),
    Literal.tagged("x", "ar--rtl"),
    Literal.typed("1", "d:"),
    TripleTerm(Iri("s:"), Iri("p:"), Literal.simple("o"))
  )

  private def utf8(text: String): UTF8String = UTF8String.fromString(text)

  private def texts(vector: ColumnVector, size: Int): Seq[String] =
    (0 until size).map(i => if (vector.isNullAt(i)) null else vector.getUTF8String(i).toString)

  private def checkNulls(vector: ColumnVector, size: Int): Unit = {
    val nulls = (0 until size).count(vector.isNullAt)
    assert(vector.numNulls == nulls)
    assert(vector.hasNull == nulls > 0)
  }

  test("a column of ops") {
    val vector = new OpVector(RowOp.values.map(_.ordinal.toByte).toArray, RowOp.values.length)
    assert(texts(vector, RowOp.values.length) == RowOp.values.map(_.code))
    checkNulls(vector, RowOp.values.length)
  }

  test("a column of numbers") {
    val vector = new NumberVector(Array(0L, Row.NoNumber, Long.MaxValue), 3)
    assert((0 until 3).map(vector.isNullAt) == Seq(false, true, false))
    assert(Seq(0, 2).map(vector.getLong) == Seq(0L, Long.MaxValue))
    checkNulls(vector, 3)
  }

  test("columns of strings") {
    val vector = new TextVector(Array(utf8("é"), null, utf8("")), 3)
    assert(texts(vector, 3) == Seq("é", null, ""))
    checkNulls(vector, 3)
    assert(texts(new StringVector(Array("é", null, ""), 3), 3) == Seq("é", null, ""))
  }

  test("columns of terms have the values of their column types") {
    val text = new TermTextVector(terms, terms.length)
    val struct = new TermStructVector(terms, terms.length)
    checkNulls(text, terms.length)
    checkNulls(struct, terms.length)
    terms.indices.foreach { i =>
      assert(text.isNullAt(i) == (terms(i) == null))
      assert(struct.isNullAt(i) == (terms(i) == null))
      if (terms(i) != null) {
        val term = terms(i).asInstanceOf[Term]
        assert(text.getUTF8String(i) == UTF8String.fromBytes(term.utf8))
        val parts = TermStruct.of(term)
        val found = struct.getStruct(i)
        assert(
          TermStruct.fields.indices.map(found.isNullAt) == TermStruct.fields.indices.map(
            parts.isNullAt
          )
        )
        assert(
          TermStruct.fields.indices.map(found.getUTF8String) == TermStruct.fields.indices.map(
            parts.getUTF8String
          )
        )
      }
    }
  }

  test("partition columns of every type") {
    val values = Seq[(Any, DataType)](
      true -> BooleanType,
      1.toByte -> ByteType,
      2.toShort -> ShortType,
      3 -> IntegerType,
      4L -> LongType,
      5.5f -> FloatType,
      6.5 -> DoubleType,
      utf8("x") -> StringType,
      Array[Byte](1, 2) -> BinaryType,
      Decimal("1.25") -> DecimalType(5, 2),
      Decimal("123456789012345678901234567890") -> DecimalType(38, 0),
      7 -> DateType,
      8L -> TimestampType,
      9L -> TimestampNTZType,
      (null, IntegerType),
      (null, StringType)
    )
    val folder = InternalRow.fromSeq(values.map(_._1))
    val schema = StructType(values.zipWithIndex.map { case ((_, dataType), i) =>
      StructField(s"c$i", dataType)
    })
    val batch = new ColumnBatch
    batch.size = 2
    val rows = new BatchSchema(new StructType, schema).toSpark(batch, folder)
    assert(rows.numRows == 2)
    (0 until 2).foreach { i =>
      val row = rows.getRow(i).copy()
      values.zipWithIndex.foreach { case ((_, dataType), column) =>
        assert(row.get(column, dataType) == folder.get(column, dataType), dataType)
        checkNulls(rows.column(column), 2)
      }
    }
  }

  test("a column without values, and a batch without columns") {
    val schema = new StructType().add("OBJECT", StringType).add("tx", LongType)
    val batch = new ColumnBatch
    batch.size = 2
    batch.numbers(Column.Tx.index) = Array(1L, Row.NoNumber)
    val rows = new BatchSchema(schema, new StructType).toSpark(batch, InternalRow.empty)
    assert(rows.getRow(1).isNullAt(0) && rows.getRow(1).isNullAt(1))
    assert(rows.getRow(0).getLong(1) == 1)
    val none = new BatchSchema(new StructType, new StructType).toSpark(batch, InternalRow.empty)
    assert(none.numCols == 0 && none.numRows == 2)
  }

  test("the request to a reader, and the vector classes for Spark") {
    val folder = new StructType().add("day", DateType)
    val parts = TermStruct.dataType
    val names = new StructType().add("name", StringType).add("Object", StringType)
    def classes(schema: BatchSchema): Seq[String] = {
      val batch = new ColumnBatch
      batch.ops = Array(0)
      Column.all.foreach { case column =>
        batch.numbers(column.index) = Array(0L)
      }
      val rows: ColumnarBatch = schema.toSpark(batch, InternalRow(0))
      (0 until rows.numCols).map(i => rows.column(i).getClass.getName)
    }
    def check(schema: StructType, provider: TermFactory.Provider, columns: Column*): Unit = {
      val batches = new BatchSchema(schema, folder)
      val filter = RowFilter(Map(Column.Op -> AllowedValues(nulls = false, None)))
      def request(options: (String, String)*) = batches.request(RdfPatch, options.toMap, filter)
      assert(request() == BatchRequest(columns.toSet, filter, provider))
      val all = BatchRequest(Column.ofPatches.toSet, RowFilter.All, provider)
      assert(request("checkAllColumns" -> "true") == all)
      assert(request("strict" -> "true") == all)
      assert(batches.vectorTypes == classes(batches))
    }
    check(new StructType().add("op", StringType), Utf8StringTermFactory, Column.Op)
    check(names.add("seq", LongType), Utf8StringTermFactory, Column.Name, Column.Object, Column.Seq)
    check(names.add("value", parts), TermValues, Column.Name, Column.Object, Column.Value)
  }
}
