package org.jellyspark.source

import org.apache.spark.sql.types.{DataType, Decimal, LongType, StringType, StructType}
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarArray, ColumnarMap}
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.terms.Term

/** A read-only column of a batch.
  *
  * Spark's generated code casts each column to the class that [[BatchSchema.vectorTypes]] names,
  * and calls its getters for every row. The classes are final and the getters short so that the JIT
  * compiler can inline them.
  *
  * @param size
  *   the number of rows
  */
private[source] sealed abstract class BatchVector(size: Int, dataType: DataType)
    extends ColumnVector(dataType) {

  /** Does nothing, because the arrays are on the heap. */
  override def close(): Unit = ()

  override def hasNull: Boolean = (0 until size).exists(isNullAt)

  override def numNulls: Int = (0 until size).count(isNullAt)

  override def getBoolean(row: Int): Boolean = none()
  override def getByte(row: Int): Byte = none()
  override def getShort(row: Int): Short = none()
  override def getInt(row: Int): Int = none()
  override def getLong(row: Int): Long = none()
  override def getFloat(row: Int): Float = none()
  override def getDouble(row: Int): Double = none()
  override def getArray(row: Int): ColumnarArray = none()
  override def getMap(row: Int): ColumnarMap = none()
  override def getDecimal(row: Int, precision: Int, scale: Int): Decimal = none()
  override def getUTF8String(row: Int): UTF8String = none()
  override def getBinary(row: Int): Array[Byte] = none()
  override def getChild(ordinal: Int): ColumnVector = none()

  private def none(): Nothing =
    throw new UnsupportedOperationException(
      s"a batch of rows cannot hold a column of type ${dataType().simpleString}"
    )
}

/** The column `op`, stored as the ordinals of [[RowOp]]; null in a malformed row. */
private[source] final class OpVector(ops: Array[Byte], size: Int)
    extends BatchVector(size, StringType) {
  import OpVector.codes

  override def isNullAt(row: Int): Boolean = ops == null

  override def getUTF8String(row: Int): UTF8String = codes(ops(row).toInt)
}

private object OpVector {

  /** The row codes, indexed by the ordinal of [[RowOp]]. */
  private val codes = RowOp.values.map(op => UTF8String.fromString(op.code)).toArray
}

/** A column of numbers, in which [[Row.NoNumber]] stands for null. */
private[source] final class NumberVector(numbers: Array[Long], size: Int)
    extends BatchVector(size, LongType) {
  override def isNullAt(row: Int): Boolean = numbers(row) == Row.NoNumber

  override def getLong(row: Int): Long = numbers(row)
}

/** A column of `UTF8String`s, created by a [[Utf8StringTermFactory]]. */
private[source] final class TextVector(texts: Array[AnyRef], size: Int)
    extends BatchVector(size, StringType) {
  override def isNullAt(row: Int): Boolean = texts(row) eq null

  override def getUTF8String(row: Int): UTF8String = texts(row).asInstanceOf[UTF8String]
}

/** A column of strings, stored as Java `String`s. */
private[source] final class StringVector(texts: Array[AnyRef], size: Int)
    extends BatchVector(size, StringType) {
  override def isNullAt(row: Int): Boolean = texts(row) eq null

  override def getUTF8String(row: Int): UTF8String =
    UTF8String.fromString(texts(row).asInstanceOf[String])
}

/** A column of strings in N-Triples syntax, stored as [[Term]]s. */
private[source] final class TermTextVector(terms: Array[AnyRef], size: Int)
    extends BatchVector(size, StringType) {
  override def isNullAt(row: Int): Boolean = terms(row) eq null

  override def getUTF8String(row: Int): UTF8String = {
    val term = terms(row).asInstanceOf[Term]
    if (term eq null) null else UTF8String.fromBytes(term.utf8)
  }
}

/** A column of structs, stored as one column per field. */
private[source] final class StructVector(fields: Array[ColumnVector], size: Int, schema: StructType)
    extends BatchVector(size, schema) {
  override def isNullAt(row: Int): Boolean = false

  override def getChild(ordinal: Int): ColumnVector = fields(ordinal)
}

/** A column of structs, stored as [[Term]]s. */
private[source] final class TermStructVector(terms: Array[AnyRef], size: Int)
    extends BatchVector(size, TermStruct.dataType) {
  private[this] val parts: Array[ColumnVector] =
    TermStruct.fields.map(new TermStructFieldVector(terms, size, _)).toArray

  override def isNullAt(row: Int): Boolean = terms(row) eq null

  override def getChild(ordinal: Int): ColumnVector = parts(ordinal)
}

private final class TermStructFieldVector(terms: Array[AnyRef], size: Int, part: TermStructField)
    extends BatchVector(size, StringType) {
  // Spark calls this for each row, so it must not format the string.
  override def isNullAt(row: Int): Boolean = {
    val term = terms(row).asInstanceOf[Term]
    (term eq null) || !part.isIn(term)
  }

  override def getUTF8String(row: Int): UTF8String = {
    val term = terms(row).asInstanceOf[Term]
    if (term eq null) null else part.of(term)
  }
}
