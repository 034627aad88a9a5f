package org.jellyspark.source

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{DataType, Decimal, LongType, StringType}
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarArray, ColumnarMap}
import org.apache.spark.unsafe.types.{CalendarInterval, UTF8String}

import org.jellyspark.core.rows.{Row, RowOp}
import org.jellyspark.core.terms.Term

/** A column of a batch, to be read only. Spark's generated code calls the getters for each row, and
  * by the final class, so that they are small.
  *
  * @param size
  *   the number of rows
  */
private[source] sealed abstract class BatchVector(size: Int, dataType: DataType)
    extends ColumnVector(dataType) {

  /** There is nothing to be freed. */
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
    throw new UnsupportedOperationException(s"a column of type ${dataType().simpleString}")
}

/** The rows' codes, of the ordinals of their [[RowOp]]s. */
private[source] final class CodeVector(ops: Array[Byte], size: Int)
    extends BatchVector(size, StringType) {
  private[this] val codes = CodeVector.codes

  override def isNullAt(row: Int): Boolean = false

  override def getUTF8String(row: Int): UTF8String = codes(ops(row).toInt)
}

private[source] object CodeVector {

  /** By the ordinal of the [[RowOp]]. */
  val codes: Array[UTF8String] =
    RowOp.values.map(op => UTF8String.fromString(op.code)).toArray
}

/** Numbers, or [[Row.NoNumber]]. */
private[source] final class NumberVector(numbers: Array[Long], size: Int)
    extends BatchVector(size, LongType) {
  override def isNullAt(row: Int): Boolean = numbers(row) == Row.NoNumber

  override def getLong(row: Int): Long = numbers(row)
}

/** Strings as [[TextTerms]] makes them. */
private[source] final class TextVector(texts: Array[AnyRef], size: Int)
    extends BatchVector(size, StringType) {
  override def isNullAt(row: Int): Boolean = texts(row) eq null

  override def getUTF8String(row: Int): UTF8String = texts(row).asInstanceOf[UTF8String]
}

/** Texts that are `String`s. */
private[source] final class StringVector(texts: Array[AnyRef], size: Int)
    extends BatchVector(size, StringType) {
  override def isNullAt(row: Int): Boolean = texts(row) eq null

  override def getUTF8String(row: Int): UTF8String =
    UTF8String.fromString(texts(row).asInstanceOf[String])
}

/** [[Term]]s as text. */
private[source] final class TermTextVector(terms: Array[AnyRef], size: Int)
    extends BatchVector(size, StringType) {
  override def isNullAt(row: Int): Boolean = terms(row) eq null

  override def getUTF8String(row: Int): UTF8String = {
    val term = terms(row).asInstanceOf[Term]
    if (term eq null) null else UTF8String.fromBytes(term.utf8)
  }
}

/** [[Term]]s as structs of their parts. */
private[source] final class TermStructVector(terms: Array[AnyRef], size: Int)
    extends BatchVector(size, TermForm.Parts.dataType) {
  private[this] val parts: Array[ColumnVector] =
    TermPart.values.map(new TermPartVector(terms, size, _)).toArray

  override def isNullAt(row: Int): Boolean = terms(row) eq null

  override def getChild(ordinal: Int): ColumnVector = parts(ordinal)
}

private final class TermPartVector(terms: Array[AnyRef], size: Int, part: TermPart)
    extends BatchVector(size, StringType) {
  override def isNullAt(row: Int): Boolean = getUTF8String(row) eq null

  override def getUTF8String(row: Int): UTF8String = {
    val term = terms(row).asInstanceOf[Term]
    if (term eq null) null else part.of(term)
  }
}

/** A value that is that of every row, as of the columns that a file's folder gives. */
private[source] final class ConstantVector(
    values: InternalRow,
    ordinal: Int,
    dataType: DataType,
    size: Int
) extends BatchVector(size, dataType) {
  private[this] val isNull = values.isNullAt(ordinal)

  override def isNullAt(row: Int): Boolean = isNull

  override def getBoolean(row: Int): Boolean = values.getBoolean(ordinal)
  override def getByte(row: Int): Byte = values.getByte(ordinal)
  override def getShort(row: Int): Short = values.getShort(ordinal)
  override def getInt(row: Int): Int = values.getInt(ordinal)
  override def getLong(row: Int): Long = values.getLong(ordinal)
  override def getFloat(row: Int): Float = values.getFloat(ordinal)
  override def getDouble(row: Int): Double = values.getDouble(ordinal)
  override def getUTF8String(row: Int): UTF8String = values.getUTF8String(ordinal)
  override def getBinary(row: Int): Array[Byte] = values.getBinary(ordinal)
  override def getInterval(row: Int): CalendarInterval = values.getInterval(ordinal)
  override def getDecimal(row: Int, precision: Int, scale: Int): Decimal =
    values.getDecimal(ordinal, precision, scale)
}
