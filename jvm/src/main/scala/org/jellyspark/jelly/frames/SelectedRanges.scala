package org.jellyspark.jelly.frames

import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.bytes.XxHash64
import org.jellyspark.core.formats.{BatchRequest, FilePart, InputFile}
import org.jellyspark.core.rows.{AllowedNumbers, Column}

/** The restart ranges of a part of a file that can have rows which pass a filter.
  *
  * @param ranges
  *   the start and the end of each range; the end is null for the end of the file
  * @param skipped
  *   the number of other ranges that begin in the part
  * @param skippedBytes
  *   the number of their bytes
  * @param before
  *   for each of the ranges at whose start a transaction of an allowed patch may be open, by this
  *   start, where the range before begins, if no one reads that one. The end of a range verifies
  *   all other counts of its start.
  */
private[jelly] final case class SelectedRanges(
    ranges: Seq[(RestartPoint, RestartPoint)],
    skipped: Long,
    skippedBytes: Long,
    before: Map[RestartPoint, RestartPoint]
)

private[jelly] object SelectedRanges {

  /** Selects from the restart ranges that begin in a part of a file. */
  def apply(file: InputFile, part: FilePart, request: BatchRequest): SelectedRanges = {
    val isWhole = file.length == InputFile.UnknownLength
    val points = if (isWhole) Nil else RestartIndex.read(file)
    val all = (RestartPoint.Start +: points).zipAll(points, null, null).toIndexedSeq
    val numbers = all.indices.filter { number =>
      val offset = all(number)._1.offset
      offset >= part.start && offset < part.end
    }
    val isRead =
      if (numbers.isEmpty || !RestartPoint.arePossible(points)) (_: Int) => true
      else new RangeSelection(file, points, all, numbers, request).isRead _
    val (wanted, skipped) = numbers.partition(isRead)
    val patches = request.filter.numbers.get(Column.Patch)
    val before = for {
      number <- wanted
      start = all(number)._1
      if number > 0 && start.transactions > 0 && request.columns(Column.Tx) && !isRead(number - 1)
      if patches.forall(_.overlap(start.patches, start.patches))
    } yield start -> all(number - 1)._1
    SelectedRanges(
      wanted.map(all),
      skipped.length.toLong,
      skipped
        .map(all)
        .map { case (start, end) => (if (end == null) file.length else end.offset) - start.offset }
        .sum,
      before.toMap
    )
  }
}

/** Decides whether a restart range is read for a filter.
  *
  * The counts in the index are hints. The end of a range that is read verifies the counts of the
  * restart point there, if those at its start are right, so ranges are selected in such a way that
  * a number that is wrong, and hides a row or changes its ordinals, is one of those verified:
  *
  *   - If the last range is read, and ordinals matter, so is the one before, since the last has no
  *     counts at its own end.
  *   - If each part of a filter allows one of two neighbors, but not the same one, the first of
  *     them is read: without the counts between them, the filter might allow either.
  *
  * @param all
  *   the start and the end of all ranges
  * @param numbers
  *   the numbers of consecutive ranges, from 0 on, of which, or of the one before, this is asked
  */
private final class RangeSelection(
    file: InputFile,
    points: Seq[RestartPoint],
    all: IndexedSeq[(RestartPoint, RestartPoint)],
    numbers: Seq[Int],
    request: BatchRequest
) {
  import RangeSelection._

  private[this] val last = all.length - 1
  private[this] val ordinals = request.filter.numbers
  private[this] val needsOrdinals = ordinals.nonEmpty || Ordinals.exists(request.columns)
  // The ranges that each part of the filter allows, of the numbers and those beside them.
  private[this] val near = math.max(numbers.head - 1, 0) to math.min(numbers.last + 1, last)
  private[this] val allowed: Seq[Set[Int]] = {
    val byNumbers = ordinals.toSeq.map { case (column, numbers) =>
      near.filter(number => mayHave(column, numbers, all(number))).toSet
    }
    byNumbers ++ allowedByTerms(near.filter(number => isNear(byNumbers, number)))
  }

  def isRead(number: Int): Boolean = mayHaveRows(number) || number < last && {
    if (mayHaveRows(number + 1)) needsOrdinals && number + 1 == last
    else ordinals.nonEmpty && isNear(allowed, number)
  }

  private def mayHaveRows(number: Int): Boolean = allowed.forall(_(number))

  /** Whether each set has a range or the next one. */
  private def isNear(sets: Seq[Set[Int]], number: Int): Boolean =
    sets.forall(numbers => numbers(number) || numbers(number + 1))

  private def allowedByTerms(near: Seq[Int]): Seq[Set[Int]] = {
    val terms = for {
      (column, values) <- request.filter.columns.toSeq
      texts <- values.texts
      if !values.nulls
    } yield column -> texts.toSeq.map { text =>
      val utf8 = text.getBytes(UTF_8)
      XxHash64.of(utf8, 0, utf8.length)
    }
    if (points.isEmpty || terms.isEmpty || near.isEmpty) Nil
    else {
      val span = near.head to math.min(near.last + 1, last)
      TermFilters.read(file, points).fold(Seq.empty[Set[Int]]) { filters =>
        terms.collect {
          case (column, hashes) if filters.has(column) => filters.rangesWith(column, span, hashes)
        }
      }
    }
  }
}

private object RangeSelection {
  private val Ordinals: Seq[Column] = Seq(Column.Patch, Column.Tx, Column.Frame, Column.Seq)

  /** Whether a range can have a row with an allowed number in a column. */
  private def mayHave(
      column: Column,
      allowed: AllowedNumbers,
      range: (RestartPoint, RestartPoint)
  ): Boolean = {
    val (start, end) = range
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
    allowed.overlap(first, last)
  }
}
