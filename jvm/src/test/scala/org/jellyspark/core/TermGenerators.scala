package org.jellyspark.core

import org.scalacheck.Gen

import org.jellyspark.core.terms.{BlankNode, DefaultGraph, Iri, Literal, TripleTerm, Term}

/** Random terms, with many characters that need care in some syntax. */
object TermGenerators {

  private val oddCharacters = "\u0000\t\n\r \"\\<>{}|^`#/:._-@\u007f\u0085\u2028\ufffd\ufeff\u0301"

  val character: Gen[String] = Gen.frequency(
    4 -> Gen.alphaNumChar.map(_.toString),
    3 -> Gen.oneOf(oddCharacters.toSeq).map(_.toString),
    1 -> Gen.choose(0x80, 0xd7ff).map(Character.toString(_)),
    1 -> Gen.choose(0x10000, 0x10ffff).map(Character.toString(_))
  )

  val text: Gen[String] =
    Gen.choose(0, 10).flatMap(Gen.listOfN(_, character)).map(_.mkString)

  val iriText: Gen[String] = for {
    start <- Gen.oneOf("", "_:", "http://a.example/", "http://b.example/x#", "urn:x:")
    rest <- text
  } yield start + rest

  val iri: Gen[Term] = iriText.map(Iri)

  val direction: Gen[String] = Gen.oneOf("ltr", "rtl")

  /** A language tag, with or without a base direction. */
  val languageTag: Gen[String] = for {
    rest <- text
    direction <- Gen.option(direction)
    language = ("e" + rest).replaceAll("-+", "-")
  } yield direction.fold(language)(language.stripSuffix("-") + "--" + _)

  /** What may or may not be a language tag with an allowed base direction. */
  val anyTag: Gen[String] = {
    val part = Gen.oneOf("ar", "e", "-", "--", "--", "ltr", "rtl", "LTR", "r", "1", "_")
    Gen.choose(1, 5).flatMap(Gen.listOfN(_, part)).map(_.mkString)
  }

  /** Whether a base direction, if the tag has one, is allowed: the rule as an expression. */
  def isAllowed(tag: String): Boolean =
    !tag.contains("--") || tag.matches("(?s)((?!--).)+--(ltr|rtl)")

  val literal: Gen[Term] = Gen.oneOf(
    text.map(Literal.simple),
    Gen.zip(text, languageTag).map { case (lex, tag) => Literal.tagged(lex, tag) },
    Gen.zip(text, iriText).map { case (lex, datatype) => Literal.typed(lex, datatype) }
  )

  val blankNode: Gen[Term] = text.map(BlankNode)

  val graph: Gen[Term] = Gen.oneOf(iri, blankNode, literal, Gen.const(DefaultGraph))

  val term: Gen[Term] = termOf(Gen.oneOf(iri, literal, blankNode))

  /** Terms of a generator, and triple terms of them, up to `depth` deep. */
  def termOf(atom: Gen[Term], depth: Int = 3): Gen[Term] =
    if (depth == 0) atom
    else {
      val inner = Gen.lzy(termOf(atom, depth - 1))
      Gen.frequency(3 -> atom, 1 -> Gen.zip(inner, inner, inner).map((TripleTerm.apply _).tupled))
    }

  /** A term inside `depth` nested triple terms. */
  def nested(depth: Int): Term =
    (1 to depth).foldLeft[Term](Iri("o"))((term, _) => TripleTerm(Iri("s"), Iri("p"), term))
}
