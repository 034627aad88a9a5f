package org.jellyspark.formats.rdfpatch

import java.io.ByteArrayInputStream

import scala.collection.mutable

import org.jellyspark.MalformedInputException
import org.jellyspark.core.RowValue
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.formats.{BatchRequest, FilePart}
import org.jellyspark.core.rows.{Column, ColumnBatch, RowFilter, RowOp}
import org.jellyspark.core.terms.{DefaultGraph, Term, TermValues}
import org.jellyspark.jelly.ColumnReading.MemoryFile

/** A row that a reader returns, or the malformed row that it reports in its place.
  *
  * The `numbers` are the ordinals of its patch, its transaction and itself.
  */
private[rdfpatch] sealed trait Record { def numbers: Seq[Long] }

private[rdfpatch] final case class Read(row: RowValue, numbers: Seq[Long]) extends Record

private[rdfpatch] final case class Malformed(text: String, message: String, numbers: Seq[Long])
    extends Record

private[rdfpatch] object ReadRecords {

  def of(
      bytes: Array[Byte],
      part: FilePart = FilePart.Whole,
      strict: Boolean = false,
      rowLimit: RowLimit = RowLimit.Default
  ): Seq[Record] = {
    val reader =
      RdfPatch.reader(strict, rowLimit).open(new ByteArrayInputStream(bytes), "file", part)
    def row = reader.row
    def numbers = Seq(row.patch, row.transaction, row.seq)
    Iterator
      .continually {
        try if (reader.next()) Some(Read(RowValue.of(row), numbers)) else None
        catch {
          case e: MalformedInputException =>
            Some(Malformed(reader.malformedRow, e.getMessage, numbers))
        }
      }
      .takeWhile(_.isDefined)
      .flatten
      .toSeq
  }

  /** The same as [[of]], read in batches of columns. */
  def inBatches(
      bytes: Array[Byte],
      part: FilePart = FilePart.Whole,
      strict: Boolean = false,
      rowLimit: RowLimit = RowLimit.Default,
      filter: RowFilter = RowFilter.All
  ): Seq[Record] = {
    val options = Map("strict" -> strict.toString, "maxRowSize" -> rowLimit.bytes.toString)
    val request = BatchRequest(Column.ofPatches.toSet, filter, TermValues)
    val reader = RdfPatch.batchReader(options, request).open(new MemoryFile(bytes), part)
    val records = mutable.ArrayBuffer.empty[Record]
    var goesOn = true
    while (goesOn) {
      try {
        val batch = reader.next()
        goesOn = batch != null
        if (goesOn)
          records ++= (0 until batch.size).map(i => Read(row(batch, i), numbers(batch, i)))
      } catch {
        case e: MalformedInputException =>
          val batch = reader.malformedRow
          records += Malformed(batch.malformedRow, e.getMessage, numbers(batch, 0))
          goesOn = reader.skip()
      }
    }
    reader.close()
    records.toList
  }

  private def numbers(batch: ColumnBatch, i: Int): Seq[Long] =
    Seq[Column](Column.Patch, Column.Tx, Column.Seq).map(column => batch.numbers(column.index)(i))

  private def row(batch: ColumnBatch, i: Int): RowValue = {
    def value[A](column: Column): A =
      Option(batch.values(column.index)).map(_(i)).orNull.asInstanceOf[A]
    RowValue(
      RowOp.values(batch.ops(i).toInt),
      value[Term](Column.Subject),
      value[Term](Column.Predicate),
      value[Term](Column.Object),
      Option(value[Term](Column.Graph)).getOrElse(DefaultGraph),
      value[String](Column.Name),
      value[Term](Column.Value)
    )
  }
}
