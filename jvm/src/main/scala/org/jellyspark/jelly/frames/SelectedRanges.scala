package org.jellyspark.jelly.frames

import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.bytes.XxHash64
import org.jellyspark.core.formats.{FilePart, InputFile}
import org.jellyspark.core.rows.{AllowedNumbers, Column, RowFilter}

/** The restart ranges of a part of a file that can have rows which pass a filter.
  *
  * @param ranges
  *   the start and the end of each range; the end is null for the end of the file
  * @param skipped
  *   the number of other ranges that begin in the part
  * @param skippedBytes
  *   the number of their bytes
  */
private[jelly] final case class SelectedRanges(
    ranges: Seq[(RestartPoint, RestartPoint)],
    skipped: Long,
    skippedBytes: Long
)

private[jelly] object SelectedRanges {

  /** Selects from the restart ranges that begin in a part of a file. */
  def apply(file: InputFile, part: FilePart, filter: RowFilter): SelectedRanges = {
    val isWhole = file.length == InputFile.UnknownLength
    val points = if (isWhole) Nil else RestartIndex.read(file)
    val all = (RestartPoint.Start +: points).zipAll(points, null, null).toIndexedSeq
    val numbers = all.indices.filter { number =>
      val offset = all(number)._1.offset
      offset >= part.start && offset < part.end
    }
    val wanted = selected(file, points, all, numbers, filter)
    val skipped = numbers.filterNot(wanted).map(all)
    SelectedRanges(
      numbers.filter(wanted).map(all),
      skipped.length.toLong,
      skipped.map { case (start, end) =>
        (if (end == null) file.length else end.offset) - start.offset
      }.sum
    )
  }

  private def selected(
      file: InputFile,
      points: Seq[RestartPoint],
      all: Seq[(RestartPoint, RestartPoint)],
      numbers: Seq[Int],
      filter: RowFilter
  ): Set[Int] = {
    def hasNumbers(number: Int): Boolean = {
      val (start, end) = all(number)
      filter.numbers.forall { case (column, allowed) => mayHave(column, allowed, start, end) }
    }
    // The counts at the start of the last range are verified by reading the range before, because
    // the last range has no counts at its own end.
    val byNumbers = numbers.filter { number =>
      hasNumbers(number) || number == all.length - 2 && hasNumbers(number + 1)
    }.toSet
    val terms = for {
      (column, values) <- filter.columns.toSeq
      texts <- values.texts
      if !values.nulls
    } yield column -> texts.toSeq.map { text =>
      val utf8 = text.getBytes(UTF_8)
      XxHash64.of(utf8, 0, utf8.length)
    }
    if (points.isEmpty || terms.isEmpty || byNumbers.isEmpty) byNumbers
    else {
      val span = byNumbers.min to byNumbers.max
      TermFilters.read(file, points).fold(byNumbers) { filters =>
        terms.filter(entry => filters.has(entry._1)).foldLeft(byNumbers) {
          case (left, (column, hashes)) => left & filters.rangesWith(column, span, hashes)
        }
      }
    }
  }

  /** Whether a range can have a row with an allowed number in a column. */
  private def mayHave(
      column: Column,
      allowed: AllowedNumbers,
      start: RestartPoint,
      end: RestartPoint
  ): Boolean = {
    val first = column match {
      case Column.Patch => start.patches
      case Column.Tx    => start.transactions - (if (start.inTransaction) 1 else 0)
      case Column.Frame => start.frames
      // Without the namespaces, which a reader may or may not number.
      case _ => start.rows - start.namespaces
    }
    val last =
      if (end == null) Long.MaxValue
      else
        column match {
          // Rows after the last `END` belong to the patch that the next range continues.
          case Column.Patch => end.patches
          case Column.Tx    => end.transactions - 1
          case Column.Frame => end.frames - 1
          case _            => end.rows - 1
        }
    // Counts that decrease are forged. Such a range is read, which finds the error.
    first > last + 1 && end != null || allowed.overlap(first, last)
  }
}
