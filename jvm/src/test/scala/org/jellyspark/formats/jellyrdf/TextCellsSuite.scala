package org.jellyspark.formats.jellyrdf

import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.rows.{Column, Row}
import org.jellyspark.core.terms.{BlankNode, Iri, Literal, NTriples, Term}
import org.jellyspark.core.{PropertySuite, RowValue}
import org.jellyspark.jelly.{TermOptions, TermTexts}

/** A row whose terms are given as text gives the same bytes as a row with the terms. */
class TextCellsSuite extends PropertySuite {

  private type Texts = Map[Column.TermColumn, String]

  private val columns =
    Seq(Column.Subject, Column.Predicate, Column.Object, Column.Graph, Column.Value)

  private def textsOf(row: RowValue, spell: Term => Gen[String]): Gen[Texts] = {
    val terms = columns.map(column => column -> column.get(row.toRow())).filter(_._2 != null)
    Gen.sequence[Seq[String], String](terms.map { case (_, term) => spell(term) }).map { texts =>
      terms.map(_._1).zip(texts).toMap
    }
  }

  private def rowOf(row: RowValue, texts: Texts): Row = {
    val target = row.toRow()
    texts.foreach { case (column, text) =>
      val bytes = s"...$text.".getBytes(UTF_8)
      column.cell(target).putText(bytes, 3, bytes.length - 4)
    }
    target
  }

  private val anySpelling: Term => Gen[String] =
    term => Gen.oneOf(Gen.const(NTriples.format(term)), TermTexts.spelled(term))

  private val cases: Gen[(JellyRdfOptions, List[RowValue], List[Texts])] = for {
    (options, rows) <- RdfGenerators.cases
    options <- Gen.oneOf(options.copy(terms = TermOptions(8, 4, 4)), options)
    texts <- Gen.sequence[List[Texts], Texts](rows.map(textsOf(_, anySpelling)))
  } yield (options, rows, texts)

  test("the bytes do not depend on the form of the text") {
    forAll(cases) { case (options, rows, texts) =>
      val bytes =
        try Some(RdfBytes.write(rows, options))
        catch { case _: UnwritableRowException => None }
      whenever(bytes.isDefined) {
        val spelled = rows.zip(texts).map { case (row, texts) => rowOf(row, texts) }
        assert(RowValue.writeRows(spelled, JellyRdf.writer(options)).toSeq == bytes.get.toSeq)
      }
    }
  }

  private def write(obj: String): Array[Byte] = {
    val row = RdfBytes.statement(Iri("s"), Iri("p"), null)
    RowValue.writeRows(
      Seq(rowOf(row, Map(Column.Object -> obj))),
      JellyRdf.writer(JellyRdfOptions())
    )
  }

  test("text that is almost canonical gives its own term") {
    Seq(
      "<>" -> Iri(""),
      "<\\u005F:x>" -> Iri("_:x"),
      "<_:x>" -> BlankNode("x"),
      "<_>" -> Iri("_"),
      "_:a.b" -> BlankNode("a.b"),
      "_:a:b" -> BlankNode("a:b"),
      "_:é" -> BlankNode("é"),
      "\"\"" -> Literal.simple(""),
      "\"\"^^<>" -> Literal.typed("", ""),
      "\"a\\\\\\\"\\n\\rb\"" -> Literal.simple("a\\\"\n\rb"),
      "\"a\\tb\"" -> Literal.simple("a\tb"),
      "\"1\"^^<\\u005F:d>" -> Literal.typed("1", "_:d"),
      s"\"1\"^^<${Literal.XsdString}>" -> Literal.simple("1"),
      "\"x\"@\\u0065n" -> Literal.tagged("x", "en"),
      "\"\"@en-GB" -> Literal.tagged("", "en-GB")
    ).foreach { case (text, term) =>
      withClue(text)(assert(RdfBytes.read(write(text)).map(_.obj) == Seq(term)))
    }
  }

  test("text that is not a term is refused, even if similar text is cached") {
    Seq(
      "",
      "x",
      "<",
      "<a",
      "<a b>",
      "<a>b",
      "_",
      "_:",
      "_:.",
      "_:a.",
      "\"",
      "\"a",
      "\"a\\",
      "\"\\x\""
    )
      .foreach(refused)
    Seq("\"a\nb\"", "\"a\"@", "\"a\"@e_n", "\"a\"^^", "\"a\"^^<d", "\"a\"^<d>", "\"a\"^^<_:d>")
      .foreach(refused)
    // The bytes of the datatype are cached, but are not UTF-8.
    val row = RdfBytes.statement(Iri("s"), Iri("p"), Literal.typed("1", "_:d"))
    val other = row.toRow()
    val text = "\"2\"^^<_:d>".getBytes
    other.objectCell.putText(text, 0, text.length)
    assertThrows[UnwritableRowException](
      RowValue.writeRows(Seq(row.toRow(), other), JellyRdf.writer(JellyRdfOptions()))
    )
  }

  private def refused(text: String): Unit = {
    val error = withClue(text)(intercept[UnwritableRowException](write(text)))
    assert(error.rule.startsWith("object: expected "))
    ()
  }

  test("bytes that are not UTF-8 are refused at every position") {
    Seq("<a?>", "\"a?\"", "\"a\"@e?", "\"a\"^^<d?>", "_:a?", "<<( <s> <p> \"?\" )>>").foreach {
      text =>
        val row = RdfBytes.statement(Iri("s"), Iri("p"), null).toRow()
        val bytes = text.getBytes.map(b => if (b == '?') 0xff.toByte else b)
        row.objectCell.putText(bytes, 0, bytes.length)
        val error = intercept[UnwritableRowException](
          RowValue.writeRows(Seq(row), JellyRdf.writer(JellyRdfOptions()))
        )
        assert(error.rule == "object: expected UTF-8, found invalid UTF-8 (byte 0xFF)")
    }
  }
}
