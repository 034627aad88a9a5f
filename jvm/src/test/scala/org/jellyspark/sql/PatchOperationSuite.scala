package org.jellyspark.sql

import org.jellyspark.UnwritableRowException
import org.jellyspark.core.PropertySuite

class PatchOperationSuite extends PropertySuite {
  import PatchOperation._

  test("an operation and its row are made from each other") {
    forAll(PublicTerms.operation)(operation => assert(of(operation.toRow) == operation))
  }

  test("a match of all operations is exhaustive") {
    // With -Werror, the compiler refuses a match that lacks one.
    def code(operation: PatchOperation): String = operation match {
      case Header(_, _)          => "H"
      case TransactionBegin      => "TX"
      case TransactionCommit     => "TC"
      case TransactionAbort      => "TA"
      case PrefixAdd(_, _, _)    => "PA"
      case PrefixDelete(_, _, _) => "PD"
      case Add(_, _, _, _)       => "A"
      case Delete(_, _, _, _)    => "D"
      case End                   => "END"
    }
    def kind(term: Term): String = term match {
      case Iri(_)              => "iri"
      case BlankNode(_)        => "bnode"
      case _: Literal          => "literal"
      case TripleTerm(_, _, _) => "triple"
    }
    forAll(PublicTerms.operation)(operation => assert(operation.toRow.op == code(operation)))
    forAll(PublicTerms.term) { term =>
      val first = Map('<' -> "iri", '_' -> "bnode", '"' -> "literal")
      val string = term.toNTriples
      val expected =
        if (string.startsWith("<<( ")) "triple"
        else if (string.startsWith("<_:")) "bnode"
        else first(string.head)
      assert(kind(term) == expected)
    }
  }

  test("columns that an operation does not use are ignored") {
    val row = PatchRow("TX", subject = Some("oops"), value = Some("oops"), patch = Some(3))
    assert(of(row) == TransactionBegin)
  }

  test("a row that breaks a rule is an error in the words of the writers") {
    val (s, p) = (Some("<s>"), Some("<p>"))
    Seq(
      PatchRow("X") -> "op must be one of: H, TX, TC, TA, PA, PD, A, D, END",
      PatchRow(null) -> "op must be one of: H, TX, TC, TA, PA, PD, A, D, END",
      PatchRow("A", s, p) -> "A and D need a subject, a predicate and an object",
      PatchRow("D", s, p) -> "A and D need a subject, a predicate and an object",
      PatchRow("H", name = Some("id")) -> "H needs a name and a value",
      PatchRow("PA", value = s) -> "PA and PD need a name",
      PatchRow("PD") -> "PA and PD need a name",
      PatchRow("PA", name = Some("ex")) -> "PA needs a value",
      PatchRow("PD", name = Some("ex"), value = Some("_:b")) ->
        "the value of PA and PD must be an IRI",
      PatchRow("A", s, p, Some("o")) ->
        "object: expected an RDF term in N-Triples syntax at character 0, found 'o'"
    ).foreach { case (row, rule) => assert(tryOf(row).left.map(_.rule) == Left(rule)) }
  }

  test("the error has the row") {
    val row = PatchRow("A", Some("<s>"), Some("<p>"), seq = Some(7))
    val error = intercept[UnwritableRowException](of(row))
    assert(error.row == """{"op":"A","subject":"<s>","predicate":"<p>","seq":7}""")
  }
}
