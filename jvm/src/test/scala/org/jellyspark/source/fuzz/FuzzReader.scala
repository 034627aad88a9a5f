package org.jellyspark.source.fuzz

import scala.util.Random

import org.jellyspark.MalformedInputException
import org.jellyspark.core.formats.{BatchRequest, FilePart, InputFile}
import org.jellyspark.core.rows.{AllowedNumbers, AllowedValues, Column, RowFilter}
import org.jellyspark.core.terms.{TermFactory, TermValues}
import org.jellyspark.jelly.ColumnReading.MemoryFile
import org.jellyspark.jelly.frames.RestartIndex
import org.jellyspark.source.Utf8StringTermFactory

/** Reads a mutated file in every way that Spark and the bridge may read it. */
private[fuzz] final class FuzzReader(test: FuzzCase) {
  private[this] val random = new Random(test.seed)
  private[this] val format = test.format
  private[this] val columns = format.allColumns
  // All columns of Jelly-RDF can be asked for, but rows of namespaces are an option.
  private[this] val present = format.columns(test.options)
  // Such files are cut at lines, without a look at what is before them.
  private[this] val isOfLines = Set("ntriples", "nquads").contains(format.shortName)
  private[this] val isJelly = format.shortName.startsWith("jelly")

  /** The rows, one by one. */
  lazy val whole: Reading = Reading { rows =>
    val in = test.open()
    try {
      val reader = format.reader(test.options).open(in, "file")
      while (reader.next()) rows += Reading.of(columns, reader.row)
    } finally in.close()
  }

  // What batches must have: some columns only rows have, as those of lines have their number.
  private lazy val inColumns: Reading = Reading(whole.rows.map(only(present, _)), whole.end)

  /** The rows of each part, and how it ended; none if the case has no parts. */
  lazy val parts: Seq[Reading] = fileParts.map(readPart)

  /** The rows that are looked for, with the ranges skipped that cannot have them; None if the case
    * looks for no rows.
    */
  lazy val found: Option[Reading] = Option.when(test.where.nonEmpty) {
    val (numbers, terms) = test.where
      .map { case (name, value) => columns.find(_.name == name).get -> value }
      .partition(_._1.isInstanceOf[Column.NumberColumn])
    val filter = RowFilter(
      terms.map { case (column, value) => column -> AllowedValues(false, Some(Set(value))) },
      numbers.map { case (column, value) =>
        column -> AllowedNumbers(value.toLong, value.toLong)
      }
    )
    val all = inBatches(request(present, filter, TermValues), new MemoryFile(test.bytes))
    // Filters of numbers only skip ranges.
    val rows = all.rows.filter { row =>
      numbers.forall { case (column, value) => row(columns.indexOf(column)) == value }
    }
    Reading(rows, all.end)
  }

  private def fileParts: Seq[FilePart] =
    if (test.parts.isEmpty) Nil
    else {
      val bounds = 0L +: test.parts :+ Long.MaxValue
      bounds.zip(bounds.drop(1)).map { case (start, end) => FilePart(start, end) }
    }

  /** What these ways disagree about; empty if they agree. */
  def disagreements: Seq[String] =
    columnsDisagree ++ partsDisagree ++ keptPartsDisagree ++ dropping.filter(_ =>
      test.extension.isEmpty
    )

  private def columnsDisagree: Seq[String] =
    if (test.extension.nonEmpty) Nil
    else {
      val terms = if (random.nextBoolean()) Utf8StringTermFactory else TermValues
      val some = random.shuffle(present).take(1 + random.nextInt(present.length))
      val filter = randomFilter()
      List(
        differs("columns", inBatches(request(present, RowFilter.All, terms), noIndex), inColumns),
        filteredDiffers(some, filter, inBatches(request(some, filter, terms), noIndex))
      ).flatten
    }

  /** What is not asked for is not checked in full. */
  private def filteredDiffers(
      some: Seq[Column],
      filter: RowFilter,
      found: Reading
  ): Option[String] = {
    val passing = whole.rows.filter(passes(filter, _)).map(only(some, _))
    val isLax = whole.end != Reading.Ok
    val isCrash = found.end.startsWith("crash")
    if (isLax && found.rows.startsWith(passing) && !isCrash) None
    else differs(s"$some where $filter", found, Reading(passing, whole.end))
  }

  /** All parts together have the rows of the file; an index that is not true is an error. */
  private def partsDisagree: Seq[String] = {
    val firstError = parts.indexWhere(_.end != Reading.Ok)
    val rows = parts.take(if (firstError < 0) parts.length else firstError + 1).flatMap(_.rows)
    if (parts.isEmpty) Nil
    else if (isOfLines) {
      val end = if (firstError < 0) Reading.Ok else parts(firstError).end
      differs("parts", Reading(rows, end).withoutPlace, inColumns.withoutPlace).toSeq
    } else if (firstError < 0) differs("parts", Reading(rows, Reading.Ok), whole).toSeq
    else if (isJelly && RestartIndex.read(new MemoryFile(test.bytes)).nonEmpty) {
      val isCrash = parts.exists(_.end.startsWith("crash"))
      if (whole.rows.startsWith(rows) && !isCrash) Nil
      else Seq(s"parts: ${parts.map(_.line)} but the whole file: ${whole.line}")
    } else differs("parts", Reading(rows, parts(firstError).end), whole).toSeq
  }

  /** All parts together have the rows of the file, and its malformed rows, as PERMISSIVE reads. */
  private def keptPartsDisagree: Option[String] =
    if (!format.canSkipRows || parts.isEmpty) None
    else {
      val kept = fileParts.map(keeping)
      val end = kept.map(_.end).find(_ != Reading.Ok).getOrElse(Reading.Ok)
      val together = Reading(kept.flatMap(_.rows), end)
      differs("parts with malformed rows", together, keeping(FilePart.Whole))
    }

  private def keeping(part: FilePart): Reading = {
    val wanted = request(present, terms = Utf8StringTermFactory)
    inBatches(wanted, new MemoryFile(test.bytes), part, keepsMalformed = true)
  }

  /** Reads on behind errors, as the mode DROPMALFORMED does; it must come to an end. */
  private def dropping: Option[String] = {
    var steps = test.bytes.length + 2
    val reading = Reading { _ =>
      val opened = format.batchReader(test.options, request(present, RowFilter.All, TermValues))
      val reader = opened.open(new MemoryFile(test.bytes), FilePart.Whole)
      var goesOn = true
      while (goesOn && steps > 0) {
        steps -= 1
        try goesOn = reader.next() != null
        catch { case _: MalformedInputException => goesOn = reader.skip() }
      }
    }
    if (reading.end.startsWith("crash")) Some(s"dropping malformed rows: ${reading.end}")
    else Option.when(steps == 0)("dropping malformed rows: does not end")
  }

  private def request(
      columns: Seq[Column],
      filter: RowFilter = RowFilter.All,
      terms: TermFactory.Provider
  ): BatchRequest = BatchRequest(columns.toSet, filter, terms)

  private def readPart(part: FilePart): Reading =
    inBatches(request(present, terms = Utf8StringTermFactory), new MemoryFile(test.bytes), part)

  /** Reads batches.
    *
    * @param keepsMalformed
    *   whether to go on behind errors, with the text of the malformed row as a row
    */
  private def inBatches(
      request: BatchRequest,
      file: InputFile,
      part: FilePart = FilePart.Whole,
      keepsMalformed: Boolean = false
  ): Reading = {
    val wanted = columns.filter(request.columns)
    Reading { rows =>
      val reader = format.batchReader(test.options, request).open(file, part)
      try {
        var goesOn = true
        while (goesOn) {
          try {
            val batch = reader.next()
            goesOn = batch != null
            if (goesOn) (0 until batch.size).foreach { i =>
              val values = wanted.zip(Reading.of(wanted, batch, i)).toMap
              rows += columns.map(values.getOrElse(_, null))
            }
          } catch {
            case _: MalformedInputException if keepsMalformed =>
              rows += Seq(reader.malformedRow.malformedRow)
              goesOn = reader.skip()
          }
        }
      } finally reader.close()
    }
  }

  /** The file as one whose length is not known, so that its index is not read: rows are read one by
    * one without it, too.
    */
  private def noIndex: InputFile = new MemoryFile(test.bytes) {
    override def length: Long = InputFile.UnknownLength
  }

  /** Allowed values for up to two columns; most of them are values of the file. */
  private def randomFilter(): RowFilter = {
    import Column.{Graph, Object, Op, Predicate, Subject}
    val filtered = random
      .shuffle(List(Op, Subject, Predicate, Object, Graph).filter(present.contains))
      .take(random.nextInt(3))
    RowFilter(filtered.map { column =>
      val values = whole.rows.map(_(columns.indexOf(column))).filter(_ != null).distinct
      val texts = random.shuffle(values).take(random.nextInt(3)).toSet ++
        Option.when(random.nextInt(4) == 0)("<urn:none>")
      val nulls = column != Op && random.nextInt(3) == 0
      column -> AllowedValues(nulls, Option.when(random.nextInt(6) > 0)(texts))
    }.toMap)
  }

  private def passes(filter: RowFilter, row: Seq[String]): Boolean =
    filter.columns.forall { case (column, allowed) =>
      val value = row(columns.indexOf(column))
      if (value == null) allowed.nulls else allowed.texts.forall(_.contains(value))
    }

  private def only(some: Seq[Column], row: Seq[String]): Seq[String] =
    columns.zip(row).map { case (column, value) => if (some.contains(column)) value else null }

  private def differs(what: String, found: Reading, expected: Reading): Option[String] =
    Option.when(found != expected) {
      val at = found.rows.zip(expected.rows).indexWhere { case (a, b) => a != b }
      val rows =
        if (at < 0) "" else s"; row $at is ${found.rows(at)} instead of ${expected.rows(at)}"
      s"$what: ${found.line} instead of ${expected.line}$rows"
    }
}
