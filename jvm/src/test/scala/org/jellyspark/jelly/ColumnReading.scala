package org.jellyspark.jelly

import java.io.{ByteArrayInputStream, InputStream}

import scala.collection.mutable

import org.scalacheck.Gen
import org.scalatest.Assertions

import org.jellyspark.MalformedInputException
import org.jellyspark.core.RowValue
import org.jellyspark.core.formats.{BatchRequest, FilePart, InputFile, RowFormat}
import org.jellyspark.core.rows.{AllowedValues, Column, ColumnBatch, Row, RowFilter, RowOp}
import org.jellyspark.core.terms.{NTriples, Term, TermValues}

/** Compares rows read in batches with rows read one by one. */
object ColumnReading extends Assertions {

  /** The rows read, as values by column name, and the error that ended the read, if one did. */
  final case class Result(rows: Seq[Map[String, Any]], error: Option[String])

  /** A file in memory. */
  class MemoryFile(bytes: Array[Byte]) extends InputFile {
    override def name: String = "file"

    override def length: Long = bytes.length.toLong

    override def open(start: Long, end: Long): InputStream =
      new ByteArrayInputStream(bytes, start.toInt, bytes.length)
  }

  /** Some of these columns, and a filter with values that occur in the rows, mostly. */
  def request(columns: Seq[Column], rows: Seq[RowValue]): Gen[BatchRequest] = for {
    wanted <- Gen.someOf(columns)
    filtered <- Gen.frequency(1 -> Gen.const(Nil), 4 -> Gen.someOf(filterable(columns)))
    filters <- Gen.sequence[Seq[(Column, AllowedValues)], (Column, AllowedValues)](
      filtered.map(column => allowed(column, rows).map(column -> _))
    )
  } yield BatchRequest(wanted.toSet, RowFilter(filters.toMap), TermValues)

  /** Asserts that batches have the values of the rows that pass the filter. */
  def check(
      format: RowFormat,
      bytes: Array[Byte],
      options: Map[String, String],
      request: BatchRequest
  ): Unit = {
    val expected = rowByRow(format, bytes, options)
    assert(expected.error.isEmpty)
    val passing = expected.rows.filter(row =>
      request.filter.columns.forall { case (column, allowed) => passes(row(column.name), allowed) }
    )
    val names = request.columns.map(_.name)
    val found = asColumns(format, bytes, options, request)
    assert(found == Result(passing.map(_.filter { case (name, _) => names(name) }), None))
    ()
  }

  /** Asserts that batches have the values of the rows, and end with the same error. */
  def checkDamaged(format: RowFormat, bytes: Array[Byte], options: Map[String, String]): Unit = {
    val request = BatchRequest(format.columns(options).toSet, RowFilter.All, TermValues)
    val expected = rowByRow(format, bytes, options)
    assert(asColumns(format, bytes, options, request) == expected)
    ()
  }

  /** Reads the requested columns and rows in batches. */
  def read(format: RowFormat, bytes: Array[Byte], request: BatchRequest): Result =
    asColumns(format, bytes, Map.empty, request)

  /** Reads all columns in batches, in parts that end at these offsets and at the end of the file.
    */
  def inParts(
      format: RowFormat,
      bytes: Array[Byte],
      options: Map[String, String],
      ends: Seq[Long]
  ): Seq[Result] = {
    val request = BatchRequest(format.columns(options).toSet, RowFilter.All, TermValues)
    val bounds = 0L +: ends.sorted.distinct :+ Long.MaxValue
    bounds.zip(bounds.drop(1)).map { case (start, end) =>
      asColumns(format, bytes, options, request, FilePart(start, end))
    }
  }

  private def filterable(columns: Seq[Column]): Seq[Column] =
    List(Column.Op, Column.Subject, Column.Predicate, Column.Object, Column.Graph)
      .filter(columns.contains)

  private def allowed(column: Column, rows: Seq[RowValue]): Gen[AllowedValues] = {
    val values = column match {
      case Column.Op                 => rows.map(_.op.code)
      case column: Column.TermColumn => rows.flatMap(row => textOf(column.get(row.toRow())))
      case _                         => Nil
    }
    val texts = Gen.someOf(values.distinct ++ Seq("<urn:none>", "no term")).map(_.toSet)
    Gen
      .frequency(
        6 -> Gen.zip(Gen.oneOf(true, false), texts.map(Option(_))),
        1 -> Gen.const((true, Option(Set.empty[String]))),
        1 -> Gen.const((false, None))
      )
      .map { case (nulls, texts) => AllowedValues(nulls && column != Column.Op, texts) }
  }

  private def passes(value: Any, allowed: AllowedValues): Boolean = value match {
    case null => allowed.nulls
    case text => allowed.texts.forall(_.contains(text.toString))
  }

  private def textOf(term: Term): Option[String] = Option(term).map(NTriples.format)

  private def rowByRow(
      format: RowFormat,
      bytes: Array[Byte],
      options: Map[String, String]
  ): Result = {
    val reader = format.reader(options).open(new ByteArrayInputStream(bytes), "file")
    val columns = format.columns(options)
    collect { rows =>
      while (reader.next()) {
        rows += columns.map(column => column.name -> valueOf(column, reader.row)).toMap
      }
    }
  }

  private def valueOf(column: Column, row: Row): Any = column match {
    case Column.Op                   => row.op.code
    case column: Column.TermColumn   => textOf(column.get(row)).orNull
    case column: Column.TextColumn   => column.get(row)
    case column: Column.NumberColumn => column.get(row)
  }

  private def asColumns(
      format: RowFormat,
      bytes: Array[Byte],
      options: Map[String, String],
      request: BatchRequest,
      part: FilePart = FilePart.Whole
  ): Result = {
    val factory = format.batchReader(options, request)
    val reader = factory.open(new MemoryFile(bytes), part)
    collect { rows =>
      var batch = reader.next()
      while (batch != null) {
        assert(batch.size > 0)
        (0 until batch.size).foreach { i =>
          rows += request.columns.map(column => column.name -> valueOf(column, batch, i)).toMap
        }
        batch = reader.next()
      }
    }
  }

  private def valueOf(column: Column, batch: ColumnBatch, i: Int): Any = column match {
    case Column.Op              => RowOp.values(batch.ops(i).toInt).code
    case _: Column.NumberColumn => batch.numbers(column.index)(i)
    case _                      =>
      val values = batch.values(column.index)
      if (values == null) null
      else
        values(i) match {
          case term: Term => NTriples.format(term)
          case other      => other
        }
  }

  private def collect(read: mutable.Buffer[Map[String, Any]] => Unit): Result = {
    val rows = mutable.ArrayBuffer.empty[Map[String, Any]]
    val error =
      try {
        read(rows)
        None
      } catch { case e: MalformedInputException => Some(e.getMessage) }
    Result(rows.toList, error)
  }
}
