package org.jellyspark.source

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.{StringType, StructField, StructType}
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

import org.jellyspark.core.formats.BatchRequest
import org.jellyspark.core.rows.{Column, ColumnBatch, RowFilter}
import org.jellyspark.core.terms.TermValues

/** The columns that a query reads in batches: first those of the files' rows, then those that their
  * folders give.
  *
  * @param columns
  *   columns of the format, if the schema was checked
  */
private[source] final class BatchSchema(columns: StructType, partition: StructType)
    extends Serializable {
  import BatchSchema._

  // Text is made at once, unless parts are asked for too: then it is made of terms as they are.
  private[this] val isText = columns.forall(field => !isTerm(field) || field.dataType == StringType)
  private[this] val views = columns.map(view(_, isText)).toArray
  private[this] val partitionFields = partition.fields

  /** What is to be read, of the rows that pass a filter. */
  def request(filter: RowFilter): BatchRequest =
    BatchRequest(columns.flatMap(columnOf).toSet, filter, if (isText) TextTerms else TermValues)

  /** The classes of the vectors of a batch. */
  def vectorTypes: Seq[String] =
    (views.map(_.vectorClass) ++ partitionFields.map(_ => classOf[ConstantVector]))
      .map(_.getName)
      .toSeq

  /** Rows of a file as Spark has them.
    *
    * @param folder
    *   the values of the columns that the file's folder gives
    */
  def toSpark(batch: ColumnBatch, folder: InternalRow): ColumnarBatch = {
    val vectors = new Array[ColumnVector](views.length + partitionFields.length)
    var i = 0
    while (i < views.length) {
      vectors(i) = views(i).vector(batch)
      i += 1
    }
    while (i < vectors.length) {
      val ordinal = i - views.length
      vectors(i) =
        new ConstantVector(folder, ordinal, partitionFields(ordinal).dataType, batch.size)
      i += 1
    }
    new ColumnarBatch(vectors, batch.size)
  }
}

private[source] object BatchSchema {

  /** How a column of a batch is shown to Spark. */
  private final case class View(
      vectorClass: Class[_ <: ColumnVector],
      vector: ColumnBatch => ColumnVector
  )

  private def columnOf(field: StructField): Option[Column] =
    Column.all.find(column => RowSchema.isSame(column.name, field.name))

  private def isTerm(field: StructField): Boolean =
    columnOf(field).exists(_.isInstanceOf[Column.TermColumn])

  private def view(field: StructField, isText: Boolean): View = columnOf(field) match {
    case Some(Column.Op) =>
      View(classOf[CodeVector], batch => new CodeVector(batch.ops, batch.size))
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
    // Spark asks for the classes before a reader is made, which refuses such a column.
    case None => View(classOf[ColumnVector], _ => throw new NoSuchElementException(field.name))
  }

  private val NoValues = new Array[AnyRef](1 << 12)

  private def values(batch: ColumnBatch, column: Column): Array[AnyRef] = {
    val values = batch.values(column.index)
    if (values != null) values
    else if (batch.size <= NoValues.length) NoValues
    else new Array[AnyRef](batch.size)
  }
}
