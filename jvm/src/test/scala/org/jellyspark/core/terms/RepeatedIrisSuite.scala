package org.jellyspark.core.terms

import java.nio.charset.StandardCharsets.UTF_8

import org.scalacheck.Gen

import org.jellyspark.core.PropertySuite

class RepeatedIrisSuite extends PropertySuite {

  /** Sets an IRI as a scanner does, and returns whether it was the expected one. */
  private def set(iris: RepeatedIris, iri: String): Boolean = {
    val bytes = s"<$iri>".getBytes(UTF_8)
    val isGuess = iris.lengthOfGuess(bytes, 1) == bytes.length - 2
    if (isGuess) iris.setGuess() else iris.set(bytes, 1, bytes.length - 1)
    isGuess
  }

  private def text(iris: RepeatedIris): String = new String(iris.text, UTF_8)

  test("IRIs that come in the same order again are expected, also if one comes twice in a row") {
    val iris = new RepeatedIris
    val order = Seq("a", "name", "name", "price").map("http://example.org/" + _)
    val guesses = Seq.fill(3)(order.map(set(iris, _)))
    assert(guesses.last.forall(identity))
  }

  test("what is made of an IRI stays with it") {
    // More IRIs than entries, so that some evict others.
    val iri = Gen.choose(0, 20_000).map(n => s"http://example.org/$n")
    forAll(Gen.listOfN(2000, iri)) { order =>
      val iris = new RepeatedIris
      (order ++ order).foreach { iri =>
        val _ = set(iris, iri)
        assert(iris.hasEntry && text(iris) == iri)
        if (iris.term == null) iris.term = iri
        assert(iris.term == iri)
      }
    }
  }

  test("an IRI that goes on after the expected one is another IRI") {
    val iris = new RepeatedIris
    Seq("x", "y", "x", "y", "x").foreach(set(iris, _))
    val longer = "<yz>".getBytes(UTF_8)
    assert(iris.lengthOfGuess(longer, 1) == 1)
    assert(!set(iris, "yz") && text(iris) == "yz")
    assert(iris.lengthOfGuess("<y".getBytes(UTF_8), 2) == -1)
  }

  test("a long IRI has no entry") {
    val iris = new RepeatedIris
    assert(!set(iris, "x" * 257) && !iris.hasEntry)
    assert(!set(iris, "x") && iris.hasEntry)
    assert(!set(iris, "x" * 257) && !iris.hasEntry)
  }
}
