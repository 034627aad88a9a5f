package org.jellyspark.formats.rdfpatch

import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen
import org.scalactic.anyvals.PosInt

import org.jellyspark.core.PropertySuite
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.formats.FilePart
import org.jellyspark.core.rows.{AllowedValues, Column, RowFilter, RowOp}
import org.jellyspark.core.terms.{DefaultGraph, NTriples, Term}

/** Compares rows read in batches with rows read one by one. */
class RdfPatchBatchesSuite extends PropertySuite {
  override protected def examples: PosInt = 1000

  // Terms of which most are found without a parser, or nearly so.
  private val term = Gen.oneOf(
    "<http://example/a>",
    "<http://example/\u00e9>",
    "<http://example/\\u00e9>",
    "<urn:x-arq:DefaultGraph>",
    "<urn:x-arq:DefaultGraphNode>",
    "<s>",
    "<_:b>",
    "_:b",
    "_:a:b",
    "_:b.",
    "\"x\"",
    "\"\\t\\\"\\u00e9\\\\\"",
    "\"\\x\"",
    "\"\"",
    "\"\"\"x\"\"\"",
    "'x'",
    "\"x\"@en",
    "\"x\" @en",
    "\"x\"@en--ltr",
    "\"x\"@en--up",
    "\"x\"^^<http://example/d>",
    "\"x\"^^<http://www.w3.org/2001/XMLSchema#string>",
    "1",
    "-1",
    "+1.50",
    ".5",
    "1.",
    "1.e5",
    "1e5",
    "-",
    "true",
    "false",
    "trueish",
    "ex:a",
    "R",
    "<<( <s> <p> <o> )>>"
  )
  private val gap = Gen.frequency(20 -> " ", 1 -> "", 1 -> "\t", 1 -> "\n", 1 -> " #\n", 1 -> "  ")
  private val lineEnd = Gen.frequency(
    12 -> Gen.const("\n"),
    2 -> Gen.const("\r\n"),
    1 -> Gen.oneOf("\r", " ", "", " # comment\n", "5 .\n", "\f\n", "\n\n \t\n")
  )
  private val statement = for {
    op <- Gen.oneOf("A", "D")
    count <- Gen.frequency(1 -> 2, 12 -> 3, 4 -> 4, 1 -> 5)
    terms <- Gen.listOfN(count, term)
    gaps <- Gen.listOfN(count + 1, gap)
    end <- lineEnd
  } yield (op +: terms).zip(gaps).map { case (token, gap) => token + gap }.mkString + "." + end
  private val other =
    Gen.oneOf("TX .\n", "TC .\n", "Z .\n", "@prefix ex: <http://example/> .\n", "H id <x> .\n")
  private val statements =
    Gen.listOf(Gen.frequency(6 -> statement, 1 -> other)).map(_.mkString)
  private val text = Gen.oneOf(statements, statements, RdfPatchTexts.anyText)

  private def bytesOf(text: String) = text.getBytes(UTF_8)

  test("batches have the rows and the malformed rows of a file") {
    forAll(text, Gen.oneOf(true, false), Gen.oneOf(RowLimit.Default.bytes, 4000, 40)) {
      (text, strict, limit) =>
        val bytes = bytesOf(text)
        val expected = ReadRecords.of(bytes, FilePart.Whole, strict, RowLimit(limit))
        assert(ReadRecords.inBatches(bytes, FilePart.Whole, strict, RowLimit(limit)) == expected)
    }
  }

  test("batches have the rows of the parts of a file") {
    val cases = for {
      text <- text
      length = bytesOf(text).length
      boundaries <- Gen.choose(0, 4).flatMap(Gen.listOfN(_, Gen.choose(0, length)))
    } yield (text, (0 +: boundaries.sorted :+ length).map(_.toLong))
    forAll(cases) { case (text, ends) =>
      val bytes = bytesOf(text)
      val parts = ends.zip(ends.tail).map { case (start, end) => FilePart(start, end) }
      assert(parts.flatMap(ReadRecords.inBatches(bytes, _)) == ReadRecords.of(bytes))
    }
  }

  test("a file that is longer than a buffer") {
    val parts = Gen.listOfN(3, Gen.choose(0, 300000).map(_.toLong))
    forAll(Gen.listOfN(40, text), parts, minSuccessful(PosInt(30))) { (texts, boundaries) =>
      val rows = (0 until 150).map(i => s"A <http://example/$i> <http://example/p> \"$i\\n\" .\n")
      val bytes = bytesOf(texts.map(text => rows.mkString + text).mkString)
      val ends =
        (0L +: boundaries.sorted :+ bytes.length.toLong).map(math.min(_, bytes.length.toLong))
      val cut = ends.zip(ends.tail).map { case (start, end) => FilePart(start, end) }
      assert(cut.flatMap(ReadRecords.inBatches(bytes, _)) == ReadRecords.of(bytes))
    }
  }

  test("batches have the rows that pass a filter") {
    val cases = for {
      text <- text
      records = ReadRecords.of(bytesOf(text))
      columns <- Gen.someOf(terms.keys)
      filters <- Gen.sequence[Seq[(Column, AllowedValues)], (Column, AllowedValues)](
        columns.toSeq.map(column => allowed(records.flatMap(valueOf(_, column))).map(column -> _))
      )
    } yield (text, RowFilter(filters.toMap))
    forAll(cases) { case (text, filter) =>
      val bytes = bytesOf(text)
      val expected = ReadRecords.of(bytes).filter {
        case record: Read =>
          filter.columns.forall { case (column, allowed) =>
            valueOf(record, column) match {
              case Some(value) => allowed.texts.forall(_(value))
              case None        => allowed.nulls
            }
          }
        case _ => true
      }
      assert(ReadRecords.inBatches(bytes, filter = filter) == expected)
    }
  }

  private val terms = Map[Column, Read => Term](
    Column.Subject -> (_.row.subject),
    Column.Predicate -> (_.row.predicate),
    Column.Object -> (_.row.obj),
    Column.Graph -> (_.row.graph),
    Column.Op -> (_ => null)
  )

  private def valueOf(record: Record, column: Column): Option[String] = record match {
    case record: Read if column == Column.Op => Some(record.row.op.code)
    case record: Read                        =>
      Option(terms(column)(record)).filter(_ != DefaultGraph).map(NTriples.format)
    case _ => None
  }

  private def allowed(values: Seq[String]): Gen[AllowedValues] = for {
    nulls <- Gen.oneOf(true, false)
    texts <- Gen.option(Gen.someOf(values :+ RowOp.Add.code).map(_.toSet))
  } yield AllowedValues(nulls, texts)
}
