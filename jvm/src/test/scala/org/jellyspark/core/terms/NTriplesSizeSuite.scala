package org.jellyspark.core.terms

import org.jellyspark.core.{PropertySuite, TermGenerators}

class NTriplesSizeSuite extends PropertySuite {

  test("the size of a random term is that of its text, and within its bound") {
    forAll(TermGenerators.term) { term =>
      assert(term.size == term.utf8.length)
      assert(term.sizeBound >= term.utf8.length)
    }
  }

  test("texts that consist of escapes and of long characters") {
    val texts = List(" " * 50, "\"\\\n\r" * 9, "\u00e9\u20ac\ud83d\ude00" * 7, "_:a", "a.", "")
    for {
      text <- texts
      term <- List(Iri(text), BlankNode(text), Literal.simple(text), Literal(text, null, text))
    } {
      assert(term.size == term.utf8.length, term)
      assert(term.sizeBound >= term.utf8.length, term)
    }
    List(" ", "\ud83d\ude00", "\u00e9", "en").map(Literal.tagged("x", _)).foreach { term =>
      assert(term.size == term.utf8.length, term)
      assert(term.sizeBound >= term.utf8.length, term)
    }
  }
}
