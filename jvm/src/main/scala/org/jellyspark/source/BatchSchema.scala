package org.jellyspark.source

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.vectorized.{ColumnVectorUtils, ConstantColumnVector}
import org.apache.spark.sql.types.{StringType, StructField, StructType}
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarArray, ColumnarBatch}

import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows.{Column, ColumnBatch, RowFilter}
import org.jellyspark.core.terms.TermValues

/** The columns that a query reads in batches: those of the rows, then the partition columns.
  *
  * @param columns
  *   the columns of the rows; once [[RowSchema.check]] has passed, all are columns of the format
  * @param partition
  *   the columns whose values come from the names of the file's folders
  * @param corruptColumn
  *   name of the column that takes the text of malformed rows; null if there is none, or if it is
  *   not known yet
  */
private[jellyspark] final class BatchSchema(
    columns: StructType,
    partition: StructType,
    corruptColumn: String = null
) extends Serializable {
  import BatchSchema._

  // If all term columns are strings, the reader makes `UTF8String`s directly. If one is a struct, it
  // makes `Term`s, and the string columns are formatted from them.
  private[this] val isText = columns.forall(field => !isTerm(field) || field.dataType == StringType)
  private[this] val views = columns.map(view(_, isText, corruptColumn)).toArray
  private[this] val partitionFields = partition.fields

  /** Describes what a reader has to fill: these columns, of the rows that pass the filter. */
  def request(filter: RowFilter): BatchRequest =
    BatchRequest(
      columns.flatMap(columnOf).toSet,
      filter,
      if (isText) Utf8StringTermFactory else TermValues
    )

  /** The class names of the vectors of a batch, in the order of the columns. */
  def vectorTypes: Seq[String] =
    (views.map(_.vectorClass) ++ partitionFields.map(_ => classOf[ConstantColumnVector]))
      .map(_.getName)
      .toSeq

  /** Wraps a batch for Spark, without copying its values.
    *
    * @param folder
    *   the values of the partition columns
    */
  def toSpark(batch: ColumnBatch, folder: InternalRow): ColumnarBatch = {
    val vectors = vectorsOf(batch, views.length + partitionFields.length)
    var i = views.length
    while (i < vectors.length) {
      val ordinal = i - views.length
      val constant = new ConstantColumnVector(batch.size, partitionFields(ordinal).dataType)
      ColumnVectorUtils.populate(constant, folder, ordinal)
      vectors(i) = constant
      i += 1
    }
    new ColumnarBatch(vectors, batch.size)
  }

  /** Wraps a batch for Spark as an array of structs, without copying its values. */
  def toArray(batch: ColumnBatch): ColumnarArray = new ColumnarArray(
    new StructVector(vectorsOf(batch, views.length), batch.size, columns),
    0,
    batch.size
  )

  /** The vectors of the rows' columns, at the beginning of an array of a length. */
  private def vectorsOf(batch: ColumnBatch, length: Int): Array[ColumnVector] = {
    val vectors = new Array[ColumnVector](length)
    var i = 0
    while (i < views.length) {
      vectors(i) = views(i).vector(batch)
      i += 1
    }
    vectors
  }
}

private[source] object BatchSchema {

  /** The vector that shows a column of a batch to Spark: its class, and how to make one. */
  private final case class View(
      vectorClass: Class[_ <: ColumnVector],
      vector: ColumnBatch => ColumnVector
  )

  private def columnOf(field: StructField): Option[Column] =
    Column.all.find(column => RowSchema.isSame(column.name, field.name))

  private def isTerm(field: StructField): Boolean =
    columnOf(field).exists(_.isInstanceOf[Column.TermColumn])

  private def view(field: StructField, isText: Boolean, corruptColumn: String): View =
    if (RowSchema.isSame(field.name, corruptColumn))
      View(classOf[StringVector], batch => new StringVector(malformedRow(batch), batch.size))
    else view(field, isText)

  private def view(field: StructField, isText: Boolean): View = columnOf(field) match {
    case Some(Column.Op) =>
      View(classOf[OpVector], batch => new OpVector(batch.ops, batch.size))
    case Some(column: Column.NumberColumn) =>
      View(
        classOf[NumberVector],
        batch => new NumberVector(batch.numbers(column.index), batch.size)
      )
    case Some(column) if isText =>
      View(classOf[TextVector], batch => new TextVector(values(batch, column), batch.size))
    case Some(column: Column.TextColumn) =>
      View(classOf[StringVector], batch => new StringVector(values(batch, column), batch.size))
    case Some(column) if field.dataType == StringType =>
      View(classOf[TermTextVector], batch => new TermTextVector(values(batch, column), batch.size))
    case Some(column) =>
      View(
        classOf[TermStructVector],
        batch => new TermStructVector(values(batch, column), batch.size)
      )
    // Spark asks for the classes first. The column is the one for malformed rows, or it is refused
    // when the reader is built.
    case None => View(classOf[ColumnVector], _ => throw new NoSuchElementException(field.name))
  }

  // Shared by the columns that a batch holds no value of.
  private val NoValues = new Array[AnyRef](1 << 12)

  private def values(batch: ColumnBatch, column: Column): Array[AnyRef] = {
    val values = batch.values(column.index)
    if (values != null) values else noValues(batch)
  }

  private def malformedRow(batch: ColumnBatch): Array[AnyRef] =
    if (batch.malformedRow == null) noValues(batch) else Array[AnyRef](batch.malformedRow)

  private def noValues(batch: ColumnBatch): Array[AnyRef] =
    if (batch.size <= NoValues.length) NoValues
    else new Array[AnyRef](batch.size)
}
