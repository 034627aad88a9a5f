package org.jellyspark.core.terms

import org.jellyspark.core.{PropertySuite, TermGenerators}

class NTriplesSuite extends PropertySuite {
  import NTriples.{format, parse, SyntaxException}

  test("a term's text is parsed to the term") {
    forAll(TermGenerators.term)(term => assert(parse(format(term)) == term))
  }

  test("a canonical text stays the same when it is parsed and formatted") {
    forAll(TermGenerators.term) { term =>
      val text = format(term)
      assert(format(parse(text)) == text)
    }
  }

  test("canonical texts") {
    val cases = Seq[(Term, String)](
      (Iri("http://a/é😀"), "<http://a/é😀>"),
      (Iri(""), "<>"),
      (
        Iri("a b<>\"{}|^`\\\u0000\n"),
        "<a\\u0020b\\u003C\\u003E\\u0022\\u007B\\u007D\\u007C\\u005E\\u0060\\u005C\\u0000\\u000A>"
      ),
      (Iri("_:x"), "<\\u005F:x>"),
      (Iri("a_:x"), "<a_:x>"),
      (BlankNode("b1"), "_:b1"),
      (BlankNode("0.a-é·"), "_:0.a-é·"),
      (BlankNode(""), "<_:>"),
      (BlankNode("a."), "<_:a.>"),
      (BlankNode("-a"), "<_:-a>"),
      (BlankNode("a:b c"), "<_:a:b\\u0020c>"),
      (Literal.simple("\"\\\n\r\t\u0000é"), "\"\\\"\\\\\\n\\r\t\u0000é\""),
      (Literal.tagged("x", "EN-gb"), "\"x\"@EN-gb"),
      (Literal.tagged("x", "e_😀"), "\"x\"@e\\u005F\\U0001F600"),
      (Literal.tagged("x", ""), "\"x\""),
      (Literal.tagged("x", "ar-EG--rtl"), "\"x\"@ar-EG--rtl"),
      (Literal.tagged("x", "e_--ltr"), "\"x\"@e\\u005F--ltr"),
      (Literal("x", null, Literal.RdfDirLangString), s"\"x\"^^<${Literal.RdfDirLangString}>"),
      (Literal.typed("x", "_:d"), "\"x\"^^<\\u005F:d>"),
      (Literal.typed("x", Literal.XsdString), "\"x\""),
      (TripleTerm(Iri("s"), BlankNode("p"), Literal.simple("o")), "<<( <s> _:p \"o\" )>>")
    )
    cases.foreach { case (term, text) =>
      assert(format(term) == text)
      assert(parse(text) == term)
    }
  }

  test("other spellings of the same terms") {
    val cases = Seq(
      ("<\\u0061\\U00000062>", "<ab>"),
      ("<_:\\u0061>", "_:a"),
      ("<\\u005f:a>", "<\\u005F:a>"),
      ("\"\\t\\b\\f\\'\\u00e9\"", "\"\t\b\f'é\""),
      ("\"x\"@\\u0065n", "\"x\"@en"),
      (s"\"x\"^^<${Literal.XsdString}>", "\"x\""),
      ("<<<s><p><<_:a<p>\"o\">>>>", "<<( <s> <p> <<( _:a <p> \"o\" )>> )>>"),
      ("<<(<s><p><<(_:a<p>_:b)>>)>>", "<<( <s> <p> <<( _:a <p> _:b )>> )>>"),
      (
        "<< <s> <p> <<(<s> <p> <<<s><p>_:b>>)>> >>",
        "<<( <s> <p> <<( <s> <p> <<( <s> <p> _:b )>> )>> )>>"
      ),
      ("<<\t<s>  <p>\t \"o\"@en\t>>", "<<( <s> <p> \"o\"@en )>>"),
      ("<<(\t<s>  <p>\t \"o\"@en\t)>>", "<<( <s> <p> \"o\"@en )>>")
    )
    cases.foreach { case (spelling, canonical) =>
      assert(format(parse(spelling)) == canonical)
    }
  }

  test("texts that are not a term are syntax errors") {
    val cases = Seq(
      "",
      "a",
      " <a>",
      "<a> ",
      "<a",
      "<a b>",
      "<a\u0000>",
      "<\\n>",
      "<\\u00>",
      "<\\u00G0>",
      "<\\u１111>",
      "<\\uD800>",
      "<\\U00110000>",
      "<\\U80000061>",
      "_:",
      "_:a.",
      "_:-a",
      "_:a:b.",
      "\"a",
      "\"a\n\"",
      "\"a\r\"",
      "\"\\x\"",
      "\"\\",
      "\"a\"@",
      "\"a\"@e_n",
      "\"a\"^^",
      "\"a\"^^b",
      "\"a\"^^<_:b>",
      "<< <s> <p> >>",
      "<< <s> <p> <o> >",
      "<< <s> <p> <o> <g> >>",
      "<< <s>\n<p> <o> >>",
      "<<( <s> <p> <o> >>",
      "<< <s> <p> <o> )>>",
      "<<( <s> <p> <o> ) >>",
      "<< ( <s> <p> <o> )>>",
      "<<( <s> <p> <o> <g> )>>"
    )
    cases.foreach(text => withClue(text)(assertThrows[SyntaxException](parse(text))))
  }

  test("a base direction is ltr or rtl, after a language") {
    forAll(TermGenerators.anyTag) { tag =>
      val text = NTriples.format(Literal("x", tag, null))
      if (TermGenerators.isAllowed(tag)) assert(parse(text) == Literal.tagged("x", tag))
      else assertThrows[SyntaxException](parse(text))
    }
    def message(tag: String): String =
      intercept[SyntaxException](parse(s"<<( <s> <p> \"x\"@$tag )>>")).getMessage
    Seq("ar--foo", "ar--LTR", "ar--", "ar--ltr-x", "ar---rtl", "ar--ltr--rtl").foreach { tag =>
      val expected = "expected a base direction, --ltr or --rtl at character 16, found "
      assert(message(tag) == s"$expected'$tag'")
    }
    assert(message("--ltr") == "expected a language tag at character 16, found '--ltr'")
    assert(message("e" * 50 + "--x").endsWith(s"found '${"e" * 40}…'"))
  }

  test("the message says what was expected, at which code point, and what was found") {
    val error = intercept[SyntaxException](parse("\"😀\"x"))
    assert(error.getMessage == "expected the end of the term at character 3, found 'x'")
    assert(
      intercept[SyntaxException](parse("<a")).getMessage.endsWith("found the end of the string")
    )
  }

  test("triple terms are nested up to 63 deep") {
    val deepest = TermGenerators.nested(63)
    assert(parse(format(deepest)) == deepest)
    val error = intercept[SyntaxException](parse(format(TermGenerators.nested(64))))
    assert(error.getMessage.contains("63"))
    assertThrows[SyntaxException](parse("<<" * 100000))
  }

  test("colons in labels are read, but not written after _:") {
    assert(NTriples.format(NTriples.parse("_:a:b")) == "<_:a:b>")
    assert(NTriples.parse("_::") == BlankNode(":"))
  }
}
