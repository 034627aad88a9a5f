package org.jellyspark.source

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen

import org.jellyspark.core.errors.{MalformedRowException, RowLimit}
import org.jellyspark.core.terms._
import org.jellyspark.core.{PropertySuite, TermGenerators}

class Utf8StringTermFactorySuite extends PropertySuite {

  /** Makes a term from its parts in UTF-8, with other bytes around them. */
  private def make(terms: TermFactory, term: Term): AnyRef = term match {
    case Iri(value) =>
      val start = value.offsetByCodePoints(0, value.codePointCount(0, value.length) / 2)
      within(value) { (bytes, from, to) =>
        val middle = from + value.take(start).getBytes(UTF_8).length
        terms.iri(terms.prefix(bytes, from, middle), bytes, middle, to)
      }
    case BlankNode(label)         => within(label)(terms.blankNode)
    case Literal(lex, null, null) =>
      within(lex)(terms.typed(_, _, _, terms.noDatatype))
    case Literal(lex, null, datatype) =>
      val made = within(datatype)(terms.datatype)
      within(lex)(terms.typed(_, _, _, made))
    case Literal(lex, tag, _) =>
      within(lex + tag) { (bytes, from, to) =>
        val end = to - tag.getBytes(UTF_8).length
        terms.tagged(bytes, from, end, end, to)
      }
    case TripleTerm(s, p, o) => terms.triple(make(terms, s), make(terms, p), make(terms, o))
    case DefaultGraph        => fail("no term")
  }

  private val Other = "\"<x".getBytes(UTF_8)

  /** Bytes to follow a text: fewer or more than the eight that are read at once. */
  private def behind(bytes: Array[Byte]): Array[Byte] =
    if (bytes.length % 3 == 0) Other else Array.fill(1 + bytes.length % 7)(Other).flatten

  private def within(text: String)(make: (Array[Byte], Int, Int) => AnyRef): AnyRef = {
    val bytes = text.getBytes(UTF_8)
    val all = Other ++ bytes ++ behind(bytes)
    val made = make(all, Other.length, Other.length + bytes.length)
    Arrays.fill(all, '?'.toByte) // as a reader that reuses its buffer
    made
  }

  private def expected(term: Term): UTF8String = UTF8String.fromString(NTriples.format(term))

  test("random terms") {
    val terms = Utf8StringTermFactory.newFactory(RowLimit.Default)
    forAll(TermGenerators.term) { term =>
      val parts = make(terms, term)
      val made = if (term.isInstanceOf[TripleTerm]) terms.whole(parts) else parts
      assert(made == expected(term))
      assert(terms.size(made) == term.utf8.length)
      assert(terms.utf8(made).toSeq == term.utf8.toSeq)
    }
  }

  test("literals that are mostly ASCII") {
    val terms = Utf8StringTermFactory.newFactory(RowLimit.Default)
    val lex = Gen.alphaNumStr.flatMap(a => TermGenerators.text.map(a + _))
    forAll(lex, Gen.oneOf("en", "de-AT", "x_y"), TermGenerators.iriText) { (lex, tag, datatype) =>
      Seq(Literal.simple(lex), Literal.tagged(lex, tag), Literal.typed(lex, "u:" + datatype))
        .foreach(literal => assert(make(terms, literal) == expected(literal)))
    }
  }

  test("repeated language tags, some of which are easy to confuse") {
    val terms = Utf8StringTermFactory.newFactory(RowLimit.Default)
    val tags = Seq("en", "en\u0000", "\u0000", "en-GB-oed", "x_y") ++ (0 to 99).map(i => s"t-$i")
    for (_ <- 1 to 2; tag <- tags) {
      assert(make(terms, Literal.tagged("x", tag)) == expected(Literal.tagged("x", tag)))
    }
  }

  test("repeated prefixes and datatypes: more than are cached, and long ones") {
    val terms = Utf8StringTermFactory.newFactory(RowLimit.Default)
    val values = (0 until 200).map(n => s"u:${"x" * (n % 2 * 300 + n % 9)}$n/é")
    (0 until 3).foreach { _ =>
      values.foreach { value =>
        Seq(Iri(value), Literal.typed("a", value)).foreach { term =>
          assert(make(terms, term) == expected(term))
          assert(make(terms, term) == expected(term))
        }
      }
    }
  }

  test("a language tag with a base direction that is not allowed is an error") {
    val factories = Seq(Utf8StringTermFactory, TermValues).map(_.newFactory(RowLimit.Default))
    forAll(TermGenerators.anyTag) { tag =>
      val literal = Literal("x", tag, null)
      factories.foreach { terms =>
        if (TermGenerators.isAllowed(tag)) {
          assert(terms.utf8(make(terms, literal)).toSeq == literal.utf8.toSeq)
        } else {
          val error = intercept[MalformedRowException](make(terms, literal))
          assert(error.expected == BaseDirection.expectedFor(tag) && error.found == s"'$tag'")
        }
      }
    }
  }

  test("text that is not UTF-8 gives null") {
    val terms = Utf8StringTermFactory.newFactory(RowLimit.Default)
    for (length <- Seq(1, 8, 20); place <- 0 until length; padding <- Seq(0, 8)) {
      val bytes = Array.fill[Byte](length + padding)('x')
      bytes(place) = 0xc0.toByte
      assert(terms.text(bytes, 0, length) == null)
      assert(terms.blankNode(bytes, 0, length) == null)
      assert(terms.typed(bytes, 0, length, terms.noDatatype) == null)
      assert(terms.tagged(bytes, 0, length, length - 1, length) == null)
      assert(terms.tagged(bytes, 0, place, 0, length) == null)
    }
  }

  test("blank node labels") {
    val terms = Utf8StringTermFactory.newFactory(RowLimit.Default)
    Seq("b1", "_", "1.x", "x.", ".x", "-x", "x-", "", "é", "xé", "a b", "a:b", "x>y").foreach {
      label => assert(make(terms, BlankNode(label)) == expected(BlankNode(label)))
    }
  }

  test("every character at every position of an IRI") {
    val terms = Utf8StringTermFactory.newFactory(RowLimit.Default)
    for {
      c <- (0 to 0x100) :+ 0x2028 :+ 0x1f600
      length <- Seq(1, 7, 8, 9, 16, 20)
      place <- Set(0, 6, 7, 8, length - 1).filter(_ < length)
    } {
      val iri = Iri("a" * place + Character.toString(c) + "z" * (length - 1 - place))
      assert(make(terms, iri) == expected(iri))
    }
  }

  test("IRIs that look like a blank node's label") {
    val terms = Utf8StringTermFactory.newFactory(RowLimit.Default)
    Seq("_:x", "_:", "_", "_x:", ":x", "").foreach { iri =>
      assert(make(terms, Iri(iri)) == expected(Iri(iri)))
      assert(make(terms, Literal.typed("x", iri)) == expected(Literal.typed("x", iri)))
    }
  }

  test("strings stay valid when more are made") {
    val terms = Utf8StringTermFactory.newFactory(RowLimit.Default)
    val texts = (0 until 20000).map { i =>
      val length = if (i % 1000 == 0) 100000 else if (i % 100 == 0) 4000 else i % 50
      s"$i " + "x" * length
    }
    val made = texts.map(text => make(terms, Literal.simple(text)))
    val plain = texts.map(within(_)(terms.text))
    texts.zip(made).foreach { case (text, literal) => assert(literal.toString == s"\"$text\"") }
    assert(plain.map(_.toString) == texts)
  }
}
