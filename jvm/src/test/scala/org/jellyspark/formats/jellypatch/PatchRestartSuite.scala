package org.jellyspark.formats.jellypatch

import org.scalacheck.{Gen, Shrink}

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.rows.{RowNumbering, RowOp}
import org.jellyspark.core.terms.{DefaultGraph, Iri, Literal, Term}
import org.jellyspark.core.{PropertySuite, RowValue, TermGenerators}
import org.jellyspark.formats.jellyrdf.JenaJellyRdf
import org.jellyspark.jelly.frames.{RestartIndex, RestartPoint}
import org.jellyspark.jelly.wire.Wire
import org.jellyspark.jelly.{ColumnReading, Ranges, TermOptions, WireBytes}

/** Restart points in Jelly-Patch: every restart range is a stream, and together they are the file.
  */
class PatchRestartSuite extends PropertySuite {
  import TermGenerators._

  // Shrinking would break the file.
  private implicit val noShrink: Shrink[(Array[Byte], List[Long])] = Shrink.shrinkAny

  private val plainTerm: Gen[Term] = Gen.oneOf(
    Gen.choose(0, 20).map(n => Iri(s"http://a.example/$n")),
    Gen.choose(0, 5).map(n => Iri(s"http://b.example/$n#x")),
    Gen.choose(0, 5).map(n => Literal.typed(n.toString, s"http://d.example/$n"))
  )

  private val commonGraph: Gen[Term] =
    Gen.oneOf(Gen.const(DefaultGraph), Gen.choose(0, 1).map(n => Iri(s"http://g.example/$n")))

  private def row(anyTerm: Gen[Term]): Gen[RowValue] = Gen.frequency(
    8 -> Gen.zip(anyTerm, anyTerm, anyTerm, commonGraph).map { case (s, p, o, g) =>
      RowValue(RowOp.Add, s, p, o, g)
    },
    1 -> anyTerm.map(RowValue.header),
    2 -> Gen.zip(Gen.oneOf(RowOp.PrefixAdd, RowOp.PrefixDelete), commonGraph).map { case (op, g) =>
      RowValue(op, name = "n", value = Iri("http://a.example/"), graph = g)
    },
    2 -> Gen
      .oneOf(RowOp.TransactionStart, RowOp.TransactionCommit, RowOp.TransactionAbort, RowOp.End)
      .map(RowValue(_))
  )

  private def casesOf(anyTerm: Gen[Term]): Gen[(JellyPatchOptions, List[RowValue])] = for {
    rows <- Gen.choose(0, 80).flatMap(Gen.listOfN(_, row(anyTerm)))
    stream <- Gen.oneOf(StreamType.values)
    statement <- Gen.oneOf(StatementType.values)
    tables <- Gen.oneOf(TermOptions(), TermOptions(8, 3, 3), TermOptions(8, 0, 8))
    frameSize <- Gen.oneOf(1, 2, 7, 30)
    interval <- Gen.oneOf(1L, 20L, 300L, 2000L)
  } yield {
    val isTriples = statement == StatementType.Triples
    (
      JellyPatchOptions(stream, statement, tables, frameSize, restartInterval = interval),
      if (isTriples) rows.map(_.copy(graph = DefaultGraph)) else rows
    )
  }

  private val cases = casesOf(Gen.oneOf(plainTerm, term))

  /** The file; None if the lookup tables are too small for a row. */
  private def written(options: JellyPatchOptions, rows: List[RowValue]): Option[Array[Byte]] =
    try Some(PatchBytes.writeAsRead(rows, options))
    catch { case e: UnwritableRowException if e.rule.contains("table") => None }

  private def check(property: (JellyPatchOptions, List[RowValue], Array[Byte]) => Any) =
    forAll(cases) { case (options, rows) =>
      val bytes = written(options, rows)
      whenever(bytes.isDefined)(property(options, rows, bytes.get))
    }

  /** The rows as a reader returns them, with the ENDs that it adds. */
  private def expected(options: JellyPatchOptions, rows: List[RowValue]): List[RowValue] =
    options.streamType match {
      case StreamType.Punctuated => rows
      case StreamType.Flat       => rows.filter(_.op != RowOp.End)
      case StreamType.Frame      =>
        val begun = rows.dropWhile(_.op == RowOp.End)
        if (begun.isEmpty || begun.last.op == RowOp.End) begun else begun :+ RowValue(RowOp.End)
    }

  test("a file with restart points has the same rows as one without") {
    check { case (options, rows, bytes) =>
      assert(PatchBytes.read(bytes) == expected(options, rows))
    }
  }

  test("Jelly-JVM reads the statements of a file with restart points") {
    forAll(casesOf(plainTerm)) { case (options, rows) =>
      val statements = rows.filter(_.op == RowOp.Add)
      written(options, rows.filter(_.value == null)).foreach { bytes =>
        assert(JenaJellyRdf.read(PatchAsRdf.convert(bytes, options)) == statements)
      }
    }
  }

  test("every restart range is a stream, and the index counts what is before it") {
    check { case (options, rows, bytes) =>
      val ranges = Ranges.of(bytes)
      assert(ranges.flatMap(PatchBytes.read(_)) == expected(options, rows))
      Ranges.points(bytes).zipWithIndex.foreach { case (point, i) =>
        val before = ranges.take(i + 1)
        val numbering = new RowNumbering(strict = false)
        before.flatMap(PatchBytes.read(_)).foreach(row => numbering.number(row.op))
        assert(
          point == RestartPoint(
            before.map(_.length.toLong).sum,
            before.map(Ranges.frames(_).toLong).sum,
            numbering.rows,
            0,
            numbering.patches,
            numbering.transactions,
            numbering.inTransaction
          )
        )
      }
    }
  }

  test("the splits of a file have its rows") {
    forAll(cases.flatMap { case (options, rows) =>
      val bytes = written(options, rows).getOrElse(Array.emptyByteArray)
      Ranges.splits(bytes).map(bytes -> _)
    }) { case (bytes, ends) =>
      Ranges.checkParts(JellyPatch, bytes, Map.empty, ends)
    }
  }

  test("a restart point is written at the first frame after an interval") {
    check { case (options, _, bytes) =>
      val ranges = Ranges.of(bytes)
      ranges.dropRight(1).foreach(range => assert(range.length >= options.restartInterval))
      ranges.foreach { range =>
        assert(Ranges.endsOfRows(range).dropRight(1).forall(_ < options.restartInterval))
      }
    }
  }

  test("a short, undelimited or interval-free file has no restart points and no index") {
    check { case (options, rows, _) =>
      val off = PatchBytes.writeAsRead(rows, options.copy(restartInterval = 0))
      assert(
        PatchBytes.writeAsRead(rows, options.copy(restartInterval = 1 << 20)).toSeq == off.toSeq
      )
      assert(Ranges.points(off).isEmpty)
      val one = options.copy(delimited = false)
      assert(
        PatchBytes.writeAsRead(rows, one).toSeq ==
          PatchBytes.writeAsRead(rows, one.copy(restartInterval = 0)).toSeq
      )
    }
  }

  // The same as in the Python codec's tests/codec/jelly_patch/test_restart.py.
  test("the row at a restart point is read as any row is") {
    import WireBytes.{field, frame, number, rows, text}
    val options = PatchBytes.options()
    val name = field(JellyPatchFields.Kind.Name, text(2, "n"))
    val unknown = number(9, 1)
    def noMessage(length: Int) =
      Some(s"a well-formed row, found $length bytes that are not a message of the schema")
    val noKind = Some("a row of a known kind, found a row without a known field")
    val nameFirst = Some("an options row first, found a name row")
    val before = frame(options, field(JellyPatchFields.Kind.Punctuation))
    Seq[(Array[Byte], Option[String])](
      Array.emptyByteArray -> noKind,
      unknown -> noKind,
      Array(0.toByte) -> noMessage(1),
      name.dropRight(1) -> noMessage(4),
      name -> nameFirst,
      (options ++ name) -> nameFirst,
      (name ++ options) -> None,
      (unknown ++ options) -> None
    ).foreach { case (row, expected) =>
      val at = before.length
      val bytes = withIndex(before, rows(row), RestartPoint(at.toLong, 1, 1, 0, 1, 0, false))
      val found = ColumnReading.inParts(JellyPatch, bytes, Map.empty, Seq(1))
      val error = expected.map(text => s"file: frame at byte $at, row 0: expected $text")
      assert(found.map(_.error) == Seq(error, error))
      assert(found.map(_.rows.length) == Seq(1, 0))
    }
  }

  test("the bytes of a small file with restart points") {
    import WireBytes.{field, frame, number, text}
    def entry(kind: Int, id: Int, value: String) =
      field(
        kind,
        if (id == 0) Array.emptyByteArray else number(1, id.toLong),
        if (value.isEmpty) Array.emptyByteArray else text(2, value)
      )
    val options = JellyPatchOptions(
      statementType = StatementType.Triples,
      terms = TermOptions(8, 8, 8),
      frameSize = 1,
      restartInterval = 1
    )
    val rows = Seq("a/1", "a/1").map(iri => RowValue.add(Iri(iri)))
    val bytes = PatchBytes.write(rows, options)
    import JellyPatchFields.Kind
    val optionsRow = field(
      Kind.Options,
      Seq(1 -> 1, 2 -> 3, 3 -> 1, 4 -> 1, 9 -> 8, 10 -> 8, 11 -> 8, 15 -> 1).toArray.flatMap {
        case (field, value) => number(field, value.toLong)
      }
    )
    val first = frame(
      optionsRow,
      entry(Kind.Prefix, 0, "a/"),
      entry(Kind.Name, 0, "1"),
      entry(Kind.Prefix, 0, ""),
      entry(Kind.Name, 0, "p"),
      field(
        Kind.StatementAdd,
        field(1, number(1, 1)),
        field(5, number(1, 2)),
        field(9, number(1, 1), number(2, 1))
      )
    )
    val second = WireBytes.rows(
      optionsRow,
      entry(Kind.Prefix, 1, "a/"),
      entry(Kind.Name, 1, "1"),
      entry(Kind.Prefix, 0, ""),
      entry(Kind.Name, 0, "p"),
      field(
        Kind.StatementAdd,
        field(1, number(1, 1), number(2, 1)),
        field(5, number(1, 2)),
        field(9, number(1, 1), number(2, 1))
      )
    )
    val point = RestartPoint(first.length.toLong, 1, 1, 0, 0, 0, inTransaction = false)
    assert(bytes.toSeq == withIndex(first, second, point).toSeq)
    assert(bytes.takeRight(8).map(_.toChar).mkString == "JellyIdx")
  }

  /** A file of a frame, of the rows of a last frame, and of an index with one point. */
  private def withIndex(
      before: Array[Byte],
      last: Array[Byte],
      point: RestartPoint
  ): Array[Byte] = {
    val size = RestartIndex.sizeOf(1)
    val metadata =
      WireBytes.field(
        Wire.FrameMetadata,
        WireBytes.text(1, RestartIndex.Key),
        WireBytes.field(2, new Array(size))
      )
    val blank = before ++ WireBytes.sized(last ++ metadata)
    blank.dropRight(size) ++ RestartIndex.encode(Seq(point), blank.length.toLong)
  }
}
