package org.jellyspark.formats.ntriples

import java.io.ByteArrayInputStream
import java.nio.charset.StandardCharsets.UTF_8

import scala.collection.mutable

import org.scalacheck.Gen

import org.jellyspark.MalformedInputException
import org.jellyspark.core.RowValue
import org.jellyspark.core.formats.{BatchRequest, FilePart}
import org.jellyspark.core.rows.{ColumnBatch, RowFilter, RowOp}
import org.jellyspark.core.terms._
import org.jellyspark.jelly.ColumnReading.MemoryFile

/** Lines of N-Quads with the rows that they hold, and ways to read them. */
object Lines {

  private val subject: Gen[(String, Term)] = Gen.oneOf(
    Gen.const("<http://example.org/s>" -> Iri("http://example.org/s")),
    Gen.const("_:b.1" -> BlankNode("b.1")),
    Gen.choose(0, 99).map(i => s"<urn:s:$i>" -> Iri(s"urn:s:$i")),
    Gen.const("<http://example.org/\\u00e9\\U0001F600>" -> Iri("http://example.org/é😀")),
    Gen.const("_:é" -> BlankNode("é"))
  )

  private val predicate: Gen[(String, Term)] =
    Gen.choose(0, 9).map(i => s"<http://example.org/p$i>" -> Iri(s"http://example.org/p$i"))

  private val xsd = "http://www.w3.org/2001/XMLSchema#"

  private val nested = TripleTerm(Iri("a:s"), Iri("a:p"), Literal.tagged("o", "en"))

  private val obj: Gen[(String, Term)] = Gen.oneOf(
    subject,
    Gen.choose(0, 1000).map(i => "\"" + "x" * i + "\"" -> Literal.simple("x" * i)),
    Gen.oneOf(
      "\"é\\n\\\"\\\\ # . \"" -> Literal.simple("é\n\"\\ # . "),
      "\"\\u00E9\\t\\'\"" -> Literal.simple("é\t'"),
      "\"a\"@en-GB" -> Literal.tagged("a", "en-GB"),
      "\"a\" @en--ltr" -> Literal.tagged("a", "en--ltr"),
      s"\"1\"^^<${xsd}integer>" -> Literal.typed("1", xsd + "integer"),
      s"\"1\" ^^ <${xsd}string>" -> Literal.simple("1"),
      "<< <a:s> <a:p> \"o\"@en >>" -> nested,
      "<<(<a:s><a:p>\"o\"@en)>>" -> nested
    )
  )

  private val graph: Gen[(String, Term)] =
    Gen.frequency(1 -> Gen.const("" -> DefaultGraph), 1 -> subject)

  private val blank = Gen.frequency(6 -> Gen.const(" "), 1 -> Gen.oneOf("\t", "  ", " \t "))

  private val end = Gen.frequency(8 -> Gen.const("\n"), 1 -> Gen.oneOf("\r\n", "\r", "\n\n \n"))

  /** A line with a statement. */
  val statement: Gen[(String, Option[RowValue])] = for {
    (s, subject) <- subject
    (p, predicate) <- predicate
    (o, obj) <- obj
    (g, graph) <- graph
    blanks <- Gen.listOfN(4, blank)
    start <- Gen.frequency(8 -> Gen.const(""), 1 -> blank)
    rest <- Gen.frequency(8 -> Gen.const(""), 1 -> Gen.oneOf(" # <a:b> <c:d> .", "# é", " "))
    end <- end
  } yield {
    val terms = Seq(s, p, o, g).zip(blanks).map { case (term, blank) => term + blank }.mkString
    (s"$start$terms.$rest$end", Some(RowValue(RowOp.Add, subject, predicate, obj, graph)))
  }

  private val other: Gen[(String, Option[RowValue])] =
    Gen
      .oneOf(
        "# <a:s> <a:p> <a:o> .\n",
        "\n",
        " \t\r\n",
        "#\r",
        "   # é\n",
        "VERSION \"1.2\"\r\n",
        " VERSION\"é\" # c\n"
      )
      .map(_ -> None)

  /** Lines, most with a statement. */
  val lines: Gen[Seq[(String, Option[RowValue])]] =
    Gen.listOf(Gen.frequency(8 -> statement, 1 -> other))

  /** A file of lines; the last one has its end, or not. */
  val file: Gen[(Array[Byte], Seq[RowValue])] = for {
    lines <- lines
    isEnded <- Gen.oneOf(true, false)
    mark <- Gen.frequency(5 -> Gen.const(""), 1 -> Gen.const("\ufeff"))
  } yield {
    val text = mark + lines.map(_._1).mkString
    val cut = if (isEnded) text else text.reverse.dropWhile(c => c == '\n' || c == '\r').reverse
    (cut.getBytes(UTF_8), lines.flatMap(_._2))
  }

  /** The rows of a part of a file in batches; those that are malformed as their text. */
  def read(
      bytes: Array[Byte],
      part: FilePart = FilePart.Whole,
      options: Map[String, String] = Map.empty,
      errors: mutable.Buffer[String] = mutable.Buffer.empty
  ): Seq[Either[String, RowValue]] = {
    val request = BatchRequest(NQuadsFormat.columns(options).toSet, RowFilter.All, TermValues)
    val reader = NQuadsFormat.batchReader(options, request).open(new MemoryFile(bytes), part)
    val rows = mutable.ArrayBuffer.empty[Either[String, RowValue]]
    var isOver = false
    while (!isOver) {
      try {
        val batch = reader.next()
        if (batch == null) isOver = true
        else (0 until batch.size).foreach(i => rows += Right(row(batch, i)))
      } catch {
        case e: MalformedInputException =>
          errors += e.getMessage
          rows += Left(reader.malformedRow.malformedRow)
          isOver = !reader.skip()
      }
    }
    reader.close()
    rows.toList
  }

  /** The frames of a file's rows. */
  def readFrames(bytes: Array[Byte], options: Map[String, String]): Seq[Long] = {
    import org.jellyspark.core.rows.Column
    val request = BatchRequest(Set[Column](Column.Frame), RowFilter.All, TermValues)
    val file = new MemoryFile(bytes)
    val reader = NQuadsFormat.batchReader(options, request).open(file, FilePart.Whole)
    Iterator
      .continually(reader.next())
      .takeWhile(_ != null)
      .flatMap(batch => batch.numbers(Column.Frame.index).take(batch.size))
      .toList
  }

  private def row(batch: ColumnBatch, i: Int): RowValue = {
    import org.jellyspark.core.rows.Column.{Graph, Object, Predicate, Subject}
    def term(index: Int): Term = {
      val values = batch.values(index)
      if (values == null) null else values(i).asInstanceOf[Term]
    }
    val graph = Option(term(Graph.index)).getOrElse(DefaultGraph)
    RowValue(RowOp.Add, term(Subject.index), term(Predicate.index), term(Object.index), graph)
  }

  /** As [[read]], row by row. */
  def readRows(
      bytes: Array[Byte],
      part: FilePart = FilePart.Whole,
      options: Map[String, String] = Map.empty,
      errors: mutable.Buffer[String] = mutable.Buffer.empty
  ): Seq[Either[String, RowValue]] = {
    val reader = NQuadsFormat.reader(options).open(new ByteArrayInputStream(bytes), "file", part)
    val rows = mutable.ArrayBuffer.empty[Either[String, RowValue]]
    var isOver = false
    while (!isOver) {
      try {
        isOver = !reader.next()
        if (!isOver) {
          assert(reader.row.seq == rows.length)
          rows += Right(RowValue.of(reader.row))
        }
      } catch {
        case e: MalformedInputException =>
          errors += e.getMessage
          rows += Left(reader.malformedRow)
      }
    }
    rows.toList
  }
}
