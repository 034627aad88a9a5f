package org.jellyspark.formats.rdfpatch

import java.io.ByteArrayInputStream

import org.jellyspark.MalformedInputException
import org.jellyspark.core.RowValue
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.formats.FilePart

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
}
