package org.jellyspark.sql.terms

import java.lang.{Boolean => JBoolean}

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.types.{BooleanType, DataType, StringType}
import org.apache.spark.unsafe.types.UTF8String

import org.jellyspark.core.{terms => core}
import org.jellyspark.source.TermStruct
import org.jellyspark.source.TermStruct.{BlankNodeKind, IriKind, LiteralKind, TripleKind}

/** The column functions on terms: names, types and documentation. [[TermStrings]] computes them.
  */
private[sql] object TermFunctions {
  import TermStrings._

  private val Cup = "'<http://example.org/cup>'"
  private val Chat = """'"chat"@fr'"""
  private val Arabic = """'"قط"@ar--rtl'"""
  private val Seven = """'"7"^^<http://www.w3.org/2001/XMLSchema#integer>'"""
  private val Triple = """'<<( _:b <http://example.org/p> "o" )>>'"""

  private val BrokenStruct =
    "named_struct('kind', 'oops', 'value', '', 'datatype', '', 'lang', '', 'direction', '')"
  private val Null = "NULL"

  private val Term = "term" -> "a term as a string in N-Triples syntax"

  /** All functions. A function that can fail is followed by its `try_` form. */
  val all: Seq[SqlFunction[Expression]] = Seq(
    function("term_kind", Computed(kind _))(Term)(
      "the kind of a term: `iri`, `bnode`, `literal` or `triple`. It looks only at how the string begins",
      Seq(Cup) -> "iri",
      Seq(Seven) -> "literal"
    ),
    function("term_value", Computed(value _))(Term)(
      "the IRI, the blank node label or the lexical form of a term, without escapes; for a triple " +
        "term, its N-Triples syntax in canonical form",
      Seq(Cup) -> "http://example.org/cup",
      Seq("'_:b1'") -> "b1",
      Seq(Seven) -> "7"
    ),
    function("term_datatype", Computed(datatype _), isNullable = true)(Term)(
      "the IRI of a literal's datatype; null for other terms",
      Seq(Seven) -> "http://www.w3.org/2001/XMLSchema#integer",
      Seq(Chat) -> "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
      Seq(Arabic) -> "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString",
      Seq(Cup) -> Null
    ),
    function("term_lang", Computed(lang _), isNullable = true)(Term)(
      "the language tag of a literal, as it is written but without a base direction; null for a " +
        "literal without one and for other terms",
      Seq(Chat) -> "fr",
      Seq(Arabic) -> "ar",
      Seq(Seven) -> Null
    ),
    function("term_direction", Computed(direction _), isNullable = true)(Term)(
      "the base direction of a literal, `ltr` or `rtl`; null for a literal without one and for " +
        "other terms",
      Seq(Arabic) -> "rtl",
      Seq(Chat) -> Null
    ),
    test("is_iri", IriKind, "an IRI")(Cup -> true, Seven -> false),
    test("is_bnode", BlankNodeKind, "a blank node")("'_:b1'" -> true, Cup -> false),
    test("is_literal", LiteralKind, "a literal")(Seven -> true, Cup -> false),
    test("is_triple", TripleKind, "a triple term")(Triple -> true, Cup -> false),
    part("triple_subject", _.subject, "subject", "_:b"),
    part("triple_predicate", _.predicate, "predicate", "<http://example.org/p>"),
    part("triple_object", _.obj, "object", "\"o\""),
    function("canonical_term", Computed(canonical _))(Term)(
      "the term in canonical form, in which files are read. Equal terms have equal canonical forms",
      Seq("""'"7"^^<http://www.w3.org/2001/XMLSchema#string>'""") -> "\"7\"",
      Seq("'<<<s> <p> <o>>>'") -> "<<( <s> <p> <o> )>>"
    ),
    function("term_canonical", Computed(canonicalNTriples _))(Term)(
      "the term in RDF 1.2's canonical N-Triples, of which RDFC-1.0 makes hashes: other than " +
        "canonical_term, with the language tag in lower case and with control characters as escapes",
      Seq("'\"chat\"@FR'") -> "\"chat\"@fr"
    ),
    function("iri", Computed(iri _), broken = Seq(Cup))(
      "value" -> "an IRI, without angle brackets and without escapes"
    )(
      "the term of an IRI. Characters that N-Triples does not allow in IRIs are escaped",
      Seq("'http://example.org/cup'") -> "<http://example.org/cup>"
    ),
    function("bnode", Computed(blankNode _), broken = Seq("'_:b1'"))(
      "label" -> "a blank node label, without `_:`"
    )(
      "the term of a blank node. A label with characters that are not allowed after `_:` is " +
        "written as RDF Patch writes it, `<_:label>`",
      Seq("'b1'") -> "_:b1"
    ),
    function(
      "literal",
      Computed(simpleLiteral _, typedLiteral _, directionalLiteral _),
      broken = Seq("'7'", "'<integer>'")
    )(
      "value" -> "the lexical form, without quotes and without escapes",
      "datatypeOrLang" -> ("the IRI of the datatype, without angle brackets; xsd:string by " +
        "default. Before a direction, the language tag"),
      "direction" -> "the base direction, `ltr` or `rtl`"
    )(
      "the term of a literal. With a datatype, it is SPARQL's STRDT; with a language tag and a " +
        "base direction, STRLANGDIR",
      Seq("'7'") -> "\"7\"",
      Seq("'7'", "'http://www.w3.org/2001/XMLSchema#integer'") ->
        "\"7\"^^<http://www.w3.org/2001/XMLSchema#integer>",
      Seq("'قط'", "'ar'", "'rtl'") -> "\"قط\"@ar--rtl"
    ),
    function(
      "lang_literal",
      Computed(taggedLiteral _, directionalLiteral _),
      broken = Seq("'chat'", "'fr_FR'")
    )(
      "value" -> "the lexical form, without quotes and without escapes",
      "lang" -> "the language tag: letters, digits and hyphens",
      "direction" -> "the base direction, `ltr` or `rtl`; none by default"
    )(
      "the term of a literal with a language tag. It is SPARQL's STRLANG; with a base direction, " +
        "STRLANGDIR",
      Seq("'chat'", "'fr'") -> "\"chat\"@fr",
      Seq("'قط'", "'ar'", "'rtl'") -> "\"قط\"@ar--rtl"
    ),
    function("triple", Computed(TermStrings.triple _), broken = Seq("'_:b'", "'oops'", "'_:b'"))(
      "subject" -> Term._2,
      "predicate" -> "likewise",
      "object" -> "likewise"
    )(
      "the triple term of three terms, in canonical form",
      Seq("'_:b'", "'<http://example.org/p>'", "'\"o\"'") ->
        "<<( _:b <http://example.org/p> \"o\" )>>"
    ),
    function("term_to_struct", Computed(toStruct _), resultType = TermStruct.dataType)(Term)(
      "a term as a struct of `kind`, `value`, `datatype`, `lang` and `direction`, as the data " +
        "sources return it with the option `terms` set to `struct`",
      Seq("'\"7\"'") -> ("{\"kind\":\"literal\",\"value\":\"7\"," +
        "\"datatype\":\"http://www.w3.org/2001/XMLSchema#string\",\"lang\":null," +
        "\"direction\":null}")
    ),
    function(
      "struct_to_term",
      Computed(ofStruct _),
      inputType = TermStruct.dataType,
      broken = Seq(BrokenStruct)
    )(
      "struct" -> "a struct of the five strings that `term_to_struct` returns"
    )(
      "the term of a struct, in canonical form",
      Seq(s"term_to_struct($Chat)") -> "\"chat\"@fr"
    ),
    function(
      "is_term",
      Computed((string: UTF8String) => JBoolean.valueOf(isTerm(string))),
      resultType = BooleanType,
      broken = Nil
    )(
      "string" -> "any string"
    )(
      "whether a string is a term in N-Triples syntax. It checks the whole string, and never fails",
      Seq(Cup) -> "true",
      Seq("'<http://example.org/cup'") -> "false"
    )
  ).flatten

  /** Creates a function, and its `try_` form if it can fail.
    *
    * @param computed
    *   computes it
    * @param isNullable
    *   whether it returns null for some arguments that are not null
    * @param broken
    *   arguments with which the function fails; empty if it never fails
    * @param parameters
    *   the names and descriptions of the parameters
    * @param result
    *   a description of the result that continues the word "Returns"
    * @param examples
    *   arguments and their results
    */
  private def function(
      name: String,
      computed: Computed,
      resultType: DataType = StringType,
      inputType: DataType = StringType,
      isNullable: Boolean = false,
      broken: Seq[String] = Seq("'oops'")
  )(
      parameters: (String, String)*
  )(
      result: String,
      examples: (Seq[String], String)*
  ): Seq[SqlFunction[Expression]] = {
    val names = parameters.map(_._1).zipWithIndex.map { case (parameter, i) =>
      if (i < computed.counts.min) parameter else s"[$parameter]"
    }
    val signature = s"_FUNC_(${names.mkString(", ").replace(", [", "[, ")})"
    def form(name: String, returnsNull: Boolean) = new TermFunction(
      name,
      parameters.map(_ => inputType),
      resultType,
      isNullable || returnsNull,
      returnsNull,
      computed
    )
    val arguments = parameters.map { case (parameter, text) => s"$parameter - $text" }
    val forms = Seq((form(name, returnsNull = false), s"Returns $result.", examples)) ++
      Option.when(broken.nonEmpty) {
        val usage = s"Returns $result. Where $name fails, returns null."
        (form(s"try_$name", returnsNull = true), usage, examples :+ (broken -> Null))
      }
    forms.map { case (form, usage, examples) =>
      SqlFunction(
        form.name,
        s"$signature - $usage",
        section("Arguments", arguments.map(argument => s"  * $argument")),
        section(
          "Examples",
          examples.flatMap { case (arguments, result) =>
            Seq(s"  > SELECT _FUNC_(${arguments.mkString(", ")});", s"   $result")
          }
        ),
        call(form, computed.counts)
      )
    }
  }

  private def test(name: String, kind: UTF8String, text: String)(examples: (String, Boolean)*) = {
    val computed = Computed((term: UTF8String) => JBoolean.valueOf(TermStrings.kind(term) == kind))
    function(name, computed, BooleanType)(Term)(
      s"whether a term is $text. It looks only at how the string begins",
      examples.map { case (term, result) => Seq(term) -> result.toString }: _*
    )
  }

  private def part(name: String, of: core.TripleTerm => core.Term, text: String, result: String) =
    function(name, Computed(TermStrings.part(of) _), isNullable = true)(Term)(
      s"the $text of a triple term, in canonical form; null for other terms",
      Seq(Triple) -> result,
      Seq(Cup) -> Null
    )

  /** Formats a section of the documentation, in the layout of Spark's own functions. */
  private def section(title: String, lines: Seq[String]): String =
    (s"$title:" +: lines).map(line => s"    $line\n").mkString("\n", "", "  ")

  private def call(function: TermFunction, counts: Seq[Int])(
      arguments: Seq[Expression]
  ): Expression = {
    if (!counts.contains(arguments.length)) {
      SqlFunction.refuseCount(function.name, counts.mkString(" or "), arguments.length)
    }
    TermCall(function, arguments)
  }
}
