package org.jellyspark.text

import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen
import org.scalactic.anyvals.PosInt

import org.jellyspark.core.{PropertySuite, TermGenerators}
import org.jellyspark.core.terms._

class CanonicalTermsSuite extends PropertySuite {
  override protected def examples: PosInt = 5000

  private val absoluteIri =
    TermGenerators.text.flatMap(rest =>
      Gen.oneOf("http:", "https://", "urn:", "a+b-c.1:").map(_ + rest)
    )

  private val term: Gen[Term] = Gen.oneOf(
    absoluteIri.map(Iri),
    Gen.alphaNumStr.map(BlankNode),
    TermGenerators.blankNode,
    TermGenerators.text.map(Literal.simple),
    Gen.zip(TermGenerators.text, Gen.oneOf("en", "de-CH", "x-1", "ar--rtl")).map {
      case (lex, tag) => Literal.tagged(lex, tag)
    },
    Gen.zip(TermGenerators.text, absoluteIri).map { case (lex, datatype) =>
      Literal.typed(lex, datatype)
    }
  )

  /** What a test finds at the beginning of a line. */
  private def find(test: CanonicalTerms.Test, line: String): Option[String] = {
    val text = line.getBytes(UTF_8)
    val end =
      test.end(("  " + line + "\n").getBytes(UTF_8) ++ new Array[Byte](CanonicalTerms.Slack), 2)
    if (end == CanonicalTerms.NotCanonical) None
    else Some(new String(text, 0, end - 2, UTF_8))
  }

  private def isTerm(text: String): Boolean = find(CanonicalTerms.AnyTest, text).contains(text)

  test("what is found is the canonical text of a term") {
    forAll(term, TermGenerators.text) { (term, rest) =>
      val text = NTriples.format(term)
      find(CanonicalTerms.AnyTest, s"$text $rest").foreach(found => assert(found == text))
    }
  }

  test("any text that is found is canonical") {
    val pieces = Gen.oneOf(
      TermGenerators.character,
      Gen.oneOf(
        "<",
        ">",
        "\"",
        "\\",
        "\\n",
        "\\t",
        "\\u0041",
        "@en",
        "@",
        "--ltr",
        "--rtl",
        "^^<a:b>",
        "-",
        "_:",
        ":",
        ".",
        " ",
        "é"
      )
    )
    val text = Gen.zip(Gen.oneOf("<a:", "_:", "\"", ""), Gen.listOf(pieces).map(_.mkString))
    forAll(text) { case (start, rest) =>
      find(CanonicalTerms.AnyTest, start + rest).foreach { found =>
        assert(NTriples.format(NTriples.parse(found)) == found)
      }
    }
  }

  test("frequent terms are found") {
    Seq(
      "<http://example.org/a~b/é?x=1&y=%20#z>",
      "<https://example.org>",
      "<urn:uuid:1>",
      "<x+y-z.1:>",
      "_:b0",
      "_:0-a.b_c",
      "\"\"",
      "\"é\\\"\\\\\\n\\r\t\u0000\"",
      "\"a\"@en",
      "\"a\"@de-CH-1996",
      "\"a\"@en--ltr",
      "\"a\"@ar-EG--rtl",
      "\"1\"^^<http://www.w3.org/2001/XMLSchema#integer>",
      "\"" + "long " * 100 + "\""
    ).foreach(text => assert(isTerm(text), text))
  }

  test("what needs the parser is not found") {
    Seq(
      "<relative>",
      "<_:b>",
      "<1a:b>",
      "<a:b c>",
      "<a:\\u0041>",
      "<a:b",
      "_:",
      "_:-a",
      "_:é",
      "\"a",
      "\"\\t\"",
      "\"\\u0041\"",
      "\"a\"@",
      "\"a\"@1",
      "\"a\"@--ltr",
      "\"a\"@-ltr",
      "\"a\"@en--LTR",
      "\"a\"@en---ltr",
      "\"a\"@en--ltr-x",
      "\"a\"@en--ltr1",
      "\"a\"^<a:b>",
      "\"a\"^^<b>",
      "\"a\" ^^<a:b>",
      "\"a\" @en",
      "\"a\"^^<http://www.w3.org/2001/XMLSchema#string>",
      "<<( <a:s> <a:p> <a:o> )>>",
      "1",
      ""
    ).foreach(text => assert(!isTerm(text), text))
  }

  test("a tag that is found is a language tag, with or without a base direction") {
    forAll(TermGenerators.anyTag) { tag =>
      assert(isTerm(s"\"a\"@$tag") == TurtleNames.isLanguageTag(tag))
    }
  }

  test("a blank node's label does not end in dots") {
    assert(find(CanonicalTerms.ResourceTest, "_:a.b..").contains("_:a.b"))
    assert(find(CanonicalTerms.ResourceTest, "_:a.").contains("_:a"))
  }

  test("text that is not UTF-8 is not found") {
    Seq("<a:", "\"a").foreach { start =>
      val bytes =
        start.getBytes(UTF_8) ++ Array(0xc3.toByte) ++ "a long end>\"\n".getBytes(UTF_8) ++
          new Array[Byte](CanonicalTerms.Slack)
      assert(CanonicalTerms.any(bytes, 0) == CanonicalTerms.NotCanonical)
    }
  }
}
