package org.jellyspark.source

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.vectorized.{ColumnVectorUtils, ConstantColumnVector}
import org.apache.spark.sql.types.{StringType, StructField, StructType}
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarArray, ColumnarBatch}

import org.jellyspark.core.formats.{BatchRequest, RowFormat}
import org.jellyspark.core.rows.{Column, ColumnBatch, RowFilter}
import org.jellyspark.core.terms.TermValues

/** The columns that a query reads in batches: the columns of the rows, followed by the partition
  * columns.
  *
  * @param columns
  *   the columns of the rows; after [[RowSchema.check]] has passed, all of them are columns of the
  *   format
  * @param partition
  *   the partition columns, whose values come from directory names
  * @param corruptColumn
  *   the name of the column for the text of malformed rows; null if there is none, or if it is not
  *   known yet
  */
private[jellyspark] final class BatchSchema(
    columns: StructType,
    partition: StructType,
    corruptColumn: String = null
) extends Serializable {
  import BatchSchema._

  // If all term columns are strings, the reader creates `UTF8String`s directly. If one is a struct,
  // it creates `Term`s, from which string columns are formatted.
  private[this] val isText = columns.forall(field => !isTerm(field) || field.dataType == StringType)
  private[this] val views = columns.map(view(_, isText, corruptColumn)).toArray
  private[this] val partitionFields = partition.fields

  /** The request to a reader for these columns, of the rows that pass `filter`. With options that
    * make a read check all columns, the request is for all columns and rows of the format.
    */
  def request(
      format: RowFormat,
      options: Map[String, String],
      filter: RowFilter = RowFilter.All
  ): BatchRequest = {
    val all = SourceOptions.checkAllColumns(options)
    BatchRequest(
      if (all) format.columns(options).toSet else columns.flatMap(columnOf).toSet,
      if (all) RowFilter.All else filter,
      if (isText) Utf8StringTermFactory else TermValues
    )
  }

  /** The class names of a batch's vectors, in the order of the columns. */
  def vectorTypes: Seq[String] =
    (views.map(_.vectorClass) ++ partitionFields.map(_ => classOf[ConstantColumnVector]))
      .map(_.getName)
      .toSeq

  /** Wraps a batch for Spark without copying its values.
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

  /** Returns the vectors of the rows' columns, at the beginning of an array of `length` elements.
    */
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

  /** How Spark sees a column of a batch: the class of the vector, and a function that creates it.
    */
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
    // Spark asks for the classes before the schema is checked. The column is either the one for
    // malformed rows, or building the reader fails because of it.
    case None => View(classOf[ColumnVector], _ => throw new NoSuchElementException(field.name))
  }

  // Shared by all columns for which a batch has no values.
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
