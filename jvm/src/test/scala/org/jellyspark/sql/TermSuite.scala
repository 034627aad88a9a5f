package org.jellyspark.sql

import org.jellyspark.InvalidTermException
import org.jellyspark.core.terms.NTriples
import org.jellyspark.core.{PropertySuite, TermGenerators}

class TermSuite extends PropertySuite {
  private val XsdString = "http://www.w3.org/2001/XMLSchema#string"

  test("a term and its string are made from each other") {
    forAll(TermGenerators.term) { term =>
      val string = NTriples.format(term)
      assert(Term.parse(string).toNTriples == string)
    }
    forAll(PublicTerms.term)(term => assert(Term.parse(term.toNTriples) == term))
  }

  test("a string that is not canonical becomes the same term") {
    assert(Term.parse(s"\"\\u0061\"^^<$XsdString>") == Literal("a"))
    assert(
      Term.parse("<<_:a <p> \"b\"@en>>") ==
        TripleTerm(BlankNode("a"), Iri("p"), Literal.tagged("b", "en"))
    )
  }

  test("literals leave out what is not written") {
    assert(Literal.typed("a", XsdString) == Literal("a"))
    assert(Literal.tagged("a", "") == Literal("a"))
    assert(Literal("a", datatype = Some(XsdString)).toNTriples == "\"a\"")
    assert(Literal.typed("1", "d").toNTriples == "\"1\"^^<d>")
  }

  test("a literal has a language tag or a datatype") {
    val error = intercept[InvalidTermException](Literal("a", Some("en"), Some("d")))
    assert(error.getMessage == "a literal has a language tag or a datatype, not both")
  }

  test("a literal with a base direction") {
    val cup = Literal("كوب", Some("ar"), None, Some("rtl"))
    assert(cup.toNTriples == "\"كوب\"@ar--rtl" && Term.parse(cup.toNTriples) == cup)
    assert(Literal.tagged("كوب", "ar", "rtl") == cup)
    def message(literal: => Literal): String = intercept[InvalidTermException](literal).getMessage
    assert(message(Literal("a", None, None, Some("rtl"))).endsWith("needs a language tag"))
    assert(message(Literal.tagged("a", "", "rtl")).endsWith("needs a language tag"))
    assert(
      message(Literal("a", Some("ar"), None, Some("RTL"))) ==
        "a base direction must be ltr or rtl, not 'RTL'"
    )
    assert(
      message(Literal.tagged("a", "ar--rtl")) ==
        "a language tag must not contain '--': give the base direction as the direction"
    )
    assert(message(Literal("a", Some("ar"), Some("d"), Some("rtl"))).endsWith("not both"))
    val parsed = intercept[InvalidTermException](Term.parse("\"a\"@ar--up"))
    assert(
      parsed.getMessage ==
        "expected a base direction, --ltr or --rtl at character 4, found 'ar--up'"
    )
  }

  test("the error about a string that is not a term says what is wrong") {
    val error = intercept[InvalidTermException](Term.parse("oops"))
    assert(
      error.getMessage ==
        "expected an RDF term in N-Triples syntax at character 0, found 'o'"
    )
  }

  test("a term that no format can hold has no string") {
    val surrogate = intercept[InvalidTermException](Iri("\ud800").toNTriples)
    assert(surrogate.getMessage == "a term holds a lone surrogate")
    def nested(depth: Int): Term =
      (1 to depth).foldLeft[Term](Iri("s"))((term, _) => TripleTerm(term, Iri("p"), Iri("o")))
    assert(Term.parse(nested(63).toNTriples) == nested(63))
    val deep = intercept[InvalidTermException](nested(64).toNTriples)
    assert(deep.getMessage == "triple terms must be nested at most 63 deep")
  }
}
