package org.jellyspark.sql.terms

import scala.util.Try

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Expression, Literal => Constant}
import org.apache.spark.sql.types.StringType
import org.apache.spark.unsafe.types.UTF8String
import org.scalacheck.Gen

import org.jellyspark.core.terms._
import org.jellyspark.core.{PropertySuite, TermGenerators}
import org.jellyspark.source.TermStruct
import org.jellyspark.source.TermStruct.{Datatype, Direction, Kind, Lang, Value}
import org.jellyspark.sql.InvalidArgumentException

/** The functions of terms against [[Term]]s, which are parsed from the same strings. */
class TermStringsSuite extends PropertySuite {
  import TermStringsSuite._

  private def utf8(text: String): UTF8String = UTF8String.fromString(text)

  /** The string, within a longer array. */
  private def within(text: String): UTF8String = {
    val bytes = utf8(text).getBytes
    UTF8String.fromBytes("<\"".getBytes ++ bytes ++ "\">\\".getBytes, 2, bytes.length)
  }

  private def text(term: Term): UTF8String = UTF8String.fromBytes(term.utf8)

  private val term: Gen[Term] = TermGenerators.term

  /** Literals, mostly of long runs of characters without escapes. */
  private val longTerm: Gen[Term] = for {
    run <- Gen.stringOfN(20, Gen.alphaNumChar)
    odd <- TermGenerators.text
    lex = run + odd + run
    made <- Gen.oneOf[Term](
      Literal.simple(lex),
      Literal.tagged(lex, "de-AT"),
      Literal.tagged(lex, "ar-EG--rtl"),
      Literal.typed(lex, run),
      Literal.typed(run, lex),
      Iri(lex),
      BlankNode(lex),
      BlankNode(run)
    )
  } yield made

  private val anyTerm: Gen[Term] = Gen.oneOf(term, longTerm)

  /** Canonical strings, with a character put in, taken away or repeated; most are not terms. */
  private val damaged: Gen[String] = for {
    whole <- anyTerm.map(NTriples.format)
    at <- Gen.choose(0, whole.length - 1)
    character <- TermGenerators.character
    how <- Gen.choose(0, 3)
  } yield how match {
    case 0 => whole.take(at) + whole.drop(at + 1)
    case 1 => whole.take(at) + character + whole.drop(at)
    case 2 => whole.take(at)
    case _ => whole.drop(at)
  }

  private def parsed(text: String): Term =
    try NTriples.parse(text)
    catch { case _: NTriples.SyntaxException => null }

  private def fields(struct: InternalRow): Seq[UTF8String] =
    if (struct == null) null
    else TermStruct.fields.indices.map(struct.getUTF8String)

  test("the parts of terms") {
    forAll(anyTerm) { term =>
      for (string <- Seq(text(term), within(NTriples.format(term)))) {
        assert(kind(string) == Kind.of(term))
        assert(value(string) == Value.of(term))
        assert(datatype(string) == Datatype.of(term))
        assert(lang(string) == Lang.of(term))
        assert(direction(string) == Direction.of(term))
        assert(fields(toStruct(string)) == TermStruct.fields.map(_.of(term)))
        assert(canonical(string) == text(term))
        assert(isTerm(string))
        assert(isIri(string) == term.isInstanceOf[Iri])
        assert(isBlankNode(string) == term.isInstanceOf[BlankNode])
        assert(isLiteral(string) == term.isInstanceOf[Literal])
        assert(isTriple(string) == term.isInstanceOf[TripleTerm])
        val parts = term match {
          case TripleTerm(s, p, o) => Seq(text(s), text(p), text(o))
          case _                   => Seq(null, null, null)
        }
        assert(Seq(tripleSubject(string), triplePredicate(string), tripleObject(string)) == parts)
      }
    }
  }

  test("a term is that of its struct") {
    forAll(anyTerm)(term => assert(ofStruct(toStruct(text(term))) == text(term)))
  }

  test("terms of their parts") {
    forAll(anyTerm) { term =>
      val string = text(term)
      term match {
        case Iri(value) if value.startsWith("<") => assert(tryIri(utf8(value)) == null)
        case Iri(_)                              => assert(iri(value(string)) == string)
        case BlankNode(label)                    =>
          assert(tryBlankNode(utf8(label)) == (if (label.startsWith("_:")) null else string))
        case Literal(lex, null, null)     => assert(literal(within(lex)) == string)
        case Literal(lex, null, datatype) =>
          val made = tryTyped(within(lex), within(datatype))
          assert(made == (if (datatype.startsWith("<")) null else string))
        case Literal(lex, tag, _) =>
          val made = tryTagged(within(lex), within(tag))
          assert(made == (if (tag.matches("[A-Za-z0-9-]+")) string else null))
          if (BaseDirection.isIn(tag)) {
            val (language, direction) = (BaseDirection.language(tag), BaseDirection.of(tag))
            val parts = Seq(lex, language, direction).map(within)
            Seq(tryDirectional, tryLiteralOfThree)
              .foreach(function => assert(function(parts(0), parts(1), parts(2)) == made))
          }
        case TripleTerm(s, p, o) => assert(triple(text(s), text(p), text(o)) == string)
        case DefaultGraph        => fail("no term")
      }
    }
  }

  test("strings that are not terms, or not canonical") {
    forAll(damaged) { string =>
      val term = parsed(string)
      val input = within(string)
      def of[A >: Null](get: Term => A): A = if (term == null) null else get(term)
      assert(tryValue(input) == of(Value.of))
      assert(tryDatatype(input) == of(Datatype.of))
      assert(tryLang(input) == of(Lang.of))
      assert(tryDirection(input) == of(Direction.of))
      assert(tryCanonical(input) == of(text))
      assert(fields(tryToStruct(input)) == of(term => TermStruct.fields.map(_.of(term))))
      assert(isTerm(input) == (term != null))
      assert(tryTriple(input, input, input) == of(term => text(TripleTerm(term, term, term))))
      if (term != null) assert(tryKind(input) == Kind.of(term))
      else {
        val failing =
          Seq[UTF8String => Any](
            value,
            datatype,
            lang,
            direction,
            canonical,
            toStruct,
            tripleObject
          )
        failing.foreach(function => intercept[InvalidArgumentException](function(input)))
      }
    }
  }

  test("language tags with anything that may be a base direction") {
    forAll(TermGenerators.anyTag) { tag =>
      val made = tryTagged(utf8("x"), within(tag))
      val expected = if (tag.contains("_")) null else parsed(s"\"x\"@$tag")
      assert(made == (if (expected == null) null else text(expected)))
      if (made != null) {
        assert(lang(made) == utf8(tag.split("--").head))
        assert(direction(made) == (if (tag.contains("--")) utf8(tag.takeRight(3)) else null))
      }
    }
  }

  test("structs of literals with a language tag") {
    val (langString, dirLangString) =
      (utf8(Literal.RdfLangString), utf8(Literal.RdfDirLangString))
    def of(datatype: UTF8String, lang: String, direction: String): UTF8String = ofStruct(
      InternalRow(utf8("literal"), utf8("x"), datatype, utf8(lang), utf8(direction))
    )
    def message(datatype: UTF8String, lang: String, direction: String): String =
      intercept[InvalidArgumentException](of(datatype, lang, direction)).getMessage
    Seq(null, langString).foreach(iri => assert(of(iri, "ar", null) == utf8("\"x\"@ar")))
    Seq(null, dirLangString).foreach { iri =>
      assert(of(iri, "ar", "rtl") == utf8("\"x\"@ar--rtl"))
    }
    assert(
      message(dirLangString, "ar", null)
        .contains("expected the datatype rdf:langString beside a lang, found http://www.w3.org/")
    )
    assert(
      message(langString, "ar", "rtl")
        .contains("expected the datatype rdf:dirLangString beside a direction, found http://www")
    )
    assert(message(null, null, "rtl").contains("expected a lang beside the direction rtl"))
    assert(
      message(null, "ar", "up")
        .contains("expected a base direction, --ltr or --rtl, found 'ar--up'")
    )
    val iri = InternalRow(utf8("iri"), utf8("x"), null, null, utf8("ltr"))
    assert(tryOfStruct(iri) == null)
  }

  test("kinds are told by the beginning") {
    val whole =
      Map("<a" -> "iri", "<_:a" -> "bnode", "_:" -> "bnode", "\"a" -> "literal", "<<" -> "triple")
    whole.foreach { case (start, expected) => assert(kind(utf8(start)) == utf8(expected)) }
    Seq("", "a", "<", "_", "_a", "\"", " <a>").foreach { string =>
      assert(tryKind(utf8(string)) == null)
      assert(tryIsIri(utf8(string)) == null)
      intercept[InvalidArgumentException](kind(utf8(string)))
      intercept[InvalidArgumentException](isLiteral(utf8(string)))
    }
  }

  test("escapes that are not canonical") {
    assert(value(utf8("\"a\\tb\\u0041\"")) == utf8("a\tbA"))
    assert(canonical(utf8("\"a\\tb\\u0041\"@en")) == utf8("\"a\tbA\"@en"))
    assert(value(utf8("<\\u005F:a>")) == utf8("_:a"))
    assert(value(utf8("<_:a\\u0020b>")) == utf8("a b"))
    assert(canonical(utf8(s"\"a\"^^<${Literal.XsdString}>")) == utf8("\"a\""))
  }

  test("text that is not UTF-8") {
    val invalid = UTF8String.fromBytes(Array[Byte]('"', 0xc0.toByte, '"'))
    assert(tryValue(invalid) == null)
    assert(!isTerm(invalid))
    assert(tryLiteral(invalid) == null)
    assert(tryIri(invalid) == null)
    assert(tryBlankNode(invalid) == null)
    val error = intercept[InvalidArgumentException](value(invalid))
    assert(error.getMessage.contains("expected UTF-8, found invalid UTF-8 (byte 0xC0)"))
  }

  test("triple terms that are nested too deep") {
    val deepest = text(TermGenerators.nested(TripleTerm.MaxDepth))
    assert(isTerm(deepest))
    assert(tryTriple(deepest, utf8("<p>"), utf8("<o>")) == null)
    assert(tryTriple(utf8("<s>"), utf8("<p>"), tripleObject(deepest)) != null)
  }

  test("the functions of the DataFrame API are those of SQL, with the same numbers of arguments") {
    val methods = org.jellyspark.functions.getClass.getMethods.toSeq
    TermFunctions.all.foreach { function =>
      val counts = methods.filter(_.getName == function.name).map(_.getParameterCount)
      assert(counts.toSet == countsOf(function).toSet, function.name)
    }
  }

  test("messages") {
    def message(read: => Any): String = intercept[InvalidArgumentException](read).getMessage
    assert(
      message(value(utf8("oops"))) == "term_value: expected an RDF term in N-Triples syntax at " +
        "character 0, found 'o'; in 'oops' (try_term_value returns null instead)"
    )
    assert(
      message(iri(utf8("<a>"))).startsWith("iri: expected an IRI without angle brackets; in '<a>'")
    )
    assert(
      message(tagged(utf8("x"), utf8("en_US"))).contains("; in 'x', 'en_US' (try_lang_literal")
    )
    assert(
      message(tagged(utf8("x"), utf8("ar--up"))).startsWith(
        "lang_literal: expected a base direction, --ltr or --rtl, found 'ar--up'; in 'x', 'ar--up' ("
      )
    )
    assert(
      message(directional(utf8("x"), utf8("ar"), utf8("RTL"))).startsWith(
        "lang_literal: expected a base direction, --ltr or --rtl, found 'ar--RTL'; in 'x', 'ar', 'RTL'"
      )
    )
    assert(
      message(triple(utf8("<a>"), utf8("b"), utf8("<c>"))).contains("; in '<a>', 'b', '<c>' (")
    )
    assert(message(value(utf8("x" * 1000))).length < 400)
    val noKind = InternalRow(null, utf8("a"), null, null, null)
    assert(Try(tryOfStruct(noKind)).get == null)
    assert(message(ofStruct(noKind)).contains("found null; in {null, a, null, null, null} ("))
    val error = intercept[InvalidArgumentException](value(utf8("oops")))
    assert(error.getCondition == "CONVERSION_INVALID_INPUT")
    assert(error.getMessageParameters.get("suggestion") == "`try_term_value`")
  }
}

private object TermStringsSuite {
  private type Text = UTF8String

  private def call(function: SqlFunction[Expression], count: Int): Try[Expression] =
    Try(function.build(Seq.fill(count)(Constant.create(null, StringType))))

  /** The numbers of arguments that a function may have. */
  private def countsOf(function: SqlFunction[Expression]): Seq[Int] =
    (1 to 3).filter(call(function, _).isSuccess)

  private val functions: Map[String, TermFunction] = TermFunctions.all
    .flatMap(function => countsOf(function).map(call(function, _).get))
    .collect { case call: TermCall => call.function.name -> call.function }
    .toMap

  private def call[A](name: String)(one: AnyRef): A = functions(name).call(one).asInstanceOf[A]

  private def callTwo(name: String)(one: AnyRef, two: AnyRef): Text =
    functions(name).call(one, two).asInstanceOf[Text]

  private def callThree(name: String)(one: AnyRef, two: AnyRef, three: AnyRef): Text =
    functions(name).call(one, two, three).asInstanceOf[Text]

  val kind: Text => Text = call[Text]("term_kind")(_)
  val tryKind: Text => Text = call[Text]("try_term_kind")(_)
  val value: Text => Text = call[Text]("term_value")(_)
  val tryValue: Text => Text = call[Text]("try_term_value")(_)
  val datatype: Text => Text = call[Text]("term_datatype")(_)
  val tryDatatype: Text => Text = call[Text]("try_term_datatype")(_)
  val lang: Text => Text = call[Text]("term_lang")(_)
  val tryLang: Text => Text = call[Text]("try_term_lang")(_)
  val direction: Text => Text = call[Text]("term_direction")(_)
  val tryDirection: Text => Text = call[Text]("try_term_direction")(_)
  val isIri: Text => Boolean = call[Boolean]("is_iri")(_)
  val tryIsIri: Text => java.lang.Boolean = call[java.lang.Boolean]("try_is_iri")(_)
  val isBlankNode: Text => Boolean = call[Boolean]("is_bnode")(_)
  val isLiteral: Text => Boolean = call[Boolean]("is_literal")(_)
  val isTriple: Text => Boolean = call[Boolean]("is_triple")(_)
  val tripleSubject: Text => Text = call[Text]("triple_subject")(_)
  val triplePredicate: Text => Text = call[Text]("triple_predicate")(_)
  val tripleObject: Text => Text = call[Text]("triple_object")(_)
  val isTerm: Text => Boolean = call[Boolean]("is_term")(_)
  val canonical: Text => Text = call[Text]("canonical_term")(_)
  val tryCanonical: Text => Text = call[Text]("try_canonical_term")(_)
  val toStruct: Text => InternalRow = call[InternalRow]("term_to_struct")(_)
  val tryToStruct: Text => InternalRow = call[InternalRow]("try_term_to_struct")(_)
  val ofStruct: InternalRow => Text = call[Text]("struct_to_term")(_)
  val tryOfStruct: InternalRow => Text = call[Text]("try_struct_to_term")(_)
  val iri: Text => Text = call[Text]("iri")(_)
  val tryIri: Text => Text = call[Text]("try_iri")(_)
  val tryBlankNode: Text => Text = call[Text]("try_bnode")(_)
  val literal: Text => Text = call[Text]("literal")(_)
  val tryLiteral: Text => Text = call[Text]("try_literal")(_)
  val tryTyped: (Text, Text) => Text = callTwo("try_literal")(_, _)
  val tagged: (Text, Text) => Text = callTwo("lang_literal")(_, _)
  val tryTagged: (Text, Text) => Text = callTwo("try_lang_literal")(_, _)
  val directional: (Text, Text, Text) => Text = callThree("lang_literal")(_, _, _)
  val tryDirectional: (Text, Text, Text) => Text = callThree("try_lang_literal")(_, _, _)
  val tryLiteralOfThree: (Text, Text, Text) => Text = callThree("try_literal")(_, _, _)
  val triple: (Text, Text, Text) => Text = callThree("triple")(_, _, _)
  val tryTriple: (Text, Text, Text) => Text = callThree("try_triple")(_, _, _)
}
