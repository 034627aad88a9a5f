package org.jellyspark.source

import java.io.InputStream

import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.types.{StructField, StructType}
import org.apache.spark.unsafe.types.UTF8String
import org.apache.spark.util.LongAccumulator
import org.jellyspark.MalformedPatchException
import org.jellyspark.codec._

/** The rows of one patch file, with the columns that a query reads.
  *
  * @param in
  *   the file's bytes; closed at their end, as a task may read many files, else by the caller
  * @param dropped
  *   counts the files whose rest was dropped because it is malformed; null: that fails the job
  */
private[source] final class PatchRowIterator(
    in: InputStream,
    file: String,
    options: ReadOptions,
    columns: StructType,
    dropped: LongAccumulator
) extends Iterator[InternalRow]
    with Logging {
  private[this] val reader = new PatchReader(in, file, options)
  private[this] val values = new Array[Any](columns.length)
  private[this] val row = new GenericInternalRow(values)
  private[this] val fields = columns.map(PatchRowIterator.column).toArray
  private[this] var fetched = false
  private[this] var exhausted = false

  override def hasNext: Boolean = {
    if (!fetched && !exhausted) {
      fetched = fetch()
      exhausted = !fetched
    }
    fetched
  }

  /** The same object each time, as Spark's own sources give. */
  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("no more rows")
    fetched = false
    var i = 0
    while (i < fields.length) {
      values(i) = fields(i)(reader.row, reader.numbering)
      i += 1
    }
    row
  }

  private def fetch(): Boolean = {
    var found = false
    try found = reader.next()
    catch {
      case e: MalformedPatchException if dropped != null =>
        logWarning(s"Dropped the rest of a malformed file: ${e.getMessage}")
        dropped.add(1)
    } finally if (!found) in.close()
    found
  }
}

private[source] object PatchRowIterator {
  private type Column = (PatchRow, RowNumbering) => Any

  private val ops: Array[UTF8String] =
    PatchOp.values.map(op => UTF8String.fromString(op.code)).toArray

  private def column(field: StructField): Column = {
    val form = TermForm.of(field.dataType)
    def term(term: Term): Any =
      if (term == null || (term eq DefaultGraph)) null else form.toColumn(term)
    PatchColumns.canonical(field.name) match {
      case PatchColumns.Op        => (row, _) => ops(row.op.ordinal)
      case PatchColumns.Subject   => (row, _) => term(row.subject)
      case PatchColumns.Predicate => (row, _) => term(row.predicate)
      case PatchColumns.Object    => (row, _) => term(row.obj)
      case PatchColumns.Graph     => (row, _) => term(row.graph)
      case PatchColumns.Name      => (row, _) => UTF8String.fromString(row.name)
      case PatchColumns.Value     => (row, _) => term(row.value)
      case PatchColumns.Patch     => (_, numbering) => numbering.patch
      case PatchColumns.Tx        =>
        (_, numbering) =>
          if (numbering.transaction == RowNumbering.NoNumber) null else numbering.transaction
      // PatchColumns.Seq, the last: the schema was checked when the query was planned.
      case _ => (_, numbering) => numbering.seq
    }
  }
}
