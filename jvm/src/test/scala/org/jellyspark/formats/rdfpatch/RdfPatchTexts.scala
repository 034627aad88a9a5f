package org.jellyspark.formats.rdfpatch

import org.scalacheck.Gen

/** Random texts, most of them RDF Patch. */
private[rdfpatch] object RdfPatchTexts {

  /** Terms that Jena reads as we do. Left out are prefixed names, `_:label`, language tags that
    * Jena normalizes, and numbers without a gap after them.
    */
  private val term = Gen.oneOf(
    "<http://example/a>",
    "<>",
    "<a{\"}|^`b>",
    "<a\\u0020\\U0001F600>",
    "<_:b>",
    "<_:a\\u003E.b>",
    "\"x\"",
    "'x\"\\t\\\\\\''",
    "\"\"",
    "''",
    "\"\"\"long \"\"\"",
    "\"\"\"a\n\"\"b\\\"\"\"\"",
    "'''it's\r\n'''",
    "\"x\"@en",
    "\"x\" @en-US",
    "'x'#c\n@he--rtl",
    "\"1\"^^<http://example/d>",
    "\"1\" ^^ <_:d>",
    "1",
    "-2",
    "+.5",
    "1.5",
    "1.e5",
    "1.5E-05",
    "true",
    "false",
    "<<( <s> <p> \"o\" )>>",
    "<<(<s><p><<(<s><p><o>)>>)>>"
  )

  private val gap = Gen.frequency(
    6 -> Gen.const(" "),
    1 -> Gen.oneOf("\t", "\n", "\r\n", "\r", "\f", " # comment .\n", "  ")
  )

  private val code = Gen.oneOf("A", "D", "TX", "TC", "TA", "TB", "Z", "H", "PA", "PD")

  private val name = Gen.oneOf("\"a\"", "'b c'", "\"\"", "\"\"\"x\"\"\"")

  private val key = Gen.oneOf(name, Gen.oneOf("id", "a.b", "é", "true"))

  private val items: Gen[Seq[String]] = code.flatMap {
    case code @ ("A" | "D") =>
      for {
        count <- Gen.choose(3, 4)
        terms <- Gen.listOfN(count, term)
      } yield code +: terms
    case "H"  => Gen.zip(key, term).map { case (key, value) => Seq("H", key, value) }
    case "PA" =>
      for {
        name <- name
        iri <- Gen.oneOf("<http://example/>", "\"http://example/\"", "<_:x>", "''")
        graph <- Gen.option(term)
      } yield Seq("PA", name, iri) ++ graph
    case "PD" =>
      Gen.zip(name, Gen.option(term)).map { case (name, graph) => Seq("PD", name) ++ graph }
    case code => Gen.const(Seq(code))
  }

  /** A row, sometimes with a token missing or added. */
  private val row: Gen[String] = for {
    tokens <- items.map(_ :+ ".")
    place <- Gen.choose(0, tokens.length - 1)
    changed <- Gen.frequency(
      12 -> Gen.const(tokens),
      1 -> Gen.const(tokens.patch(place, Nil, 1)),
      1 -> Gen
        .oneOf(term, code, Gen.oneOf("R", "U", ")>>", "@en", "^^"))
        .map(token => tokens.patch(place, Seq(token), 0))
    )
    gaps <- Gen.listOfN(changed.length, gap)
  } yield changed.zip(gaps).map { case (token, gap) => token + gap }.mkString

  private val start = Gen.frequency(8 -> "", 1 -> "\ufeff", 1 -> "# comment\n\n")

  val text: Gen[String] = Gen.zip(start, Gen.listOf(row)).map { case (start, rows) =>
    start + rows.mkString("\n")
  }

  /** Text that also has the first version's syntax, and malformed rows of many kinds. */
  val anyText: Gen[String] = {
    val simple =
      Gen.oneOf("A <s> <p> \"o\" .\n", "A <s> <p> <o> <g> .\r\n", "TX .\n", "TC .\n", "Z .\n")
    val stateful = Gen.oneOf(
      "A R R R .\n",
      "D <s2> R \"x\" R .\n",
      "@prefix ex: <http://example/> .\n",
      "A ex:a ex:b ex:c .\n",
      "A <s>\n <p> <o> .\n"
    )
    val broken = Gen.oneOf(
      "A <s> <p>\n",
      "A <s> <p> \"o\n",
      "A <s> <p> \"\"\"long\n",
      "nonsense .\r\n",
      "@prefix\n",
      "TX . A <a b> <p> <o> . TC .\n",
      "\u0000\n",
      "Z",
      "\n\n",
      " . "
    )
    val line = Gen.frequency(12 -> simple, 2 -> row, 1 -> stateful, 1 -> broken)
    Gen.zip(start, Gen.listOf(line)).map { case (start, lines) => start + lines.mkString }
  }
}
