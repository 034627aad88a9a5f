package org.jellyspark.jelly

import org.scalacheck.Gen

import org.jellyspark.core.terms._

/** Text of terms that is not canonical. */
object TermTexts {

  /** Text of a term with additional escapes and blanks. */
  def spelled(term: Term): Gen[String] = term match {
    case Iri(value)               => characters(value, escapes = false).map(text => s"<$text>")
    case BlankNode(label)         => characters(label, escapes = false).map(text => s"<_:$text>")
    case Literal(lex, null, null) =>
      Gen.zip(lexicalForm(lex), Gen.oneOf("", s"^^<${Literal.XsdString}>")).map {
        case (lex, datatype) =>
          lex + datatype
      }
    case Literal(lex, null, datatype) =>
      Gen.zip(lexicalForm(lex), characters(datatype, escapes = false)).map { case (lex, iri) =>
        s"$lex^^<$iri>"
      }
    case literal: Literal =>
      lexicalForm(literal.lex).map(lex => lex + NTriples.format(literal.copy(lex = "")).drop(2))
    case TripleTerm(s, p, o) =>
      Gen
        .zip(spelled(s), spelled(p), spelled(o), Gen.oneOf("", " ", "\t "), Gen.oneOf(true, false))
        .map {
          case (s, p, o, blank, true)  => s"<<($blank$s$blank$p $o$blank)>>"
          case (s, p, o, blank, false) => s"<<$blank$s$blank$p $o$blank>>"
        }
    case DefaultGraph => throw new IllegalArgumentException("it has no text")
  }

  private def lexicalForm(lex: String): Gen[String] =
    characters(lex, escapes = true).map(text => "\"" + text + "\"")

  /** Text with the necessary escapes and additional ones. */
  private def characters(text: String, escapes: Boolean): Gen[String] = {
    val points = text.codePoints.toArray.toList
    Gen.listOfN(points.length, Gen.choose(0, 3)).map { choices =>
      points
        .zip(choices)
        .zipWithIndex
        .map { case ((c, choice), i) =>
          val mayStay =
            if (escapes) c > 0xffff || NTriplesChars.isLiteralChar(c.toChar)
            else (c > 0xffff || NTriplesChars.isIriChar(c.toChar)) && !(i == 0 && c == '_')
          if (choice == 0 || !mayStay) {
            if (escapes && c == '\t') "\\t" else if (c > 0xffff) f"\\U$c%08x" else f"\\u$c%04X"
          } else Character.toString(c)
        }
        .mkString
    }
  }
}
