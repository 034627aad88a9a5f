package org.jellyspark.formats.rdfpatch

import org.jellyspark.core.terms.Literal
import org.jellyspark.text.TurtleNames

/** The literals that Turtle can write without quotes and datatype: numbers and booleans. */
private[rdfpatch] object UnquotedLiterals {
  private val Xsd = "http://www.w3.org/2001/XMLSchema#"
  val XsdInteger: String = Xsd + "integer"
  val XsdDecimal: String = Xsd + "decimal"
  val XsdDouble: String = Xsd + "double"
  val XsdBoolean: String = Xsd + "boolean"

  val True: Literal = Literal.typed("true", XsdBoolean)
  val False: Literal = Literal.typed("false", XsdBoolean)

  /** Whether a literal can be written as its lexical form alone without losing its datatype. */
  def isShort(lex: String, datatype: String): Boolean = datatype match {
    case XsdInteger | XsdDecimal | XsdDouble => datatypeOf(lex) == datatype
    case XsdBoolean                          => lex == "true" || lex == "false"
    case _                                   => false
  }

  /** The datatype of a text as a number; null if it is not a number. */
  private def datatypeOf(lex: String): String = {
    val start = skipSign(lex, 0)
    val point = skipDigits(lex, start)
    val hasPoint = isAt(lex, point, '.')
    val end = if (hasPoint) skipDigits(lex, point + 1) else point
    val hasDigits = end - start > (if (hasPoint) 1 else 0)
    if (end == lex.length) {
      if (!hasPoint && hasDigits) XsdInteger
      else if (hasPoint && end > point + 1) XsdDecimal
      else null
    } else if (hasDigits && (isAt(lex, end, 'e') || isAt(lex, end, 'E'))) {
      val exponent = skipSign(lex, end + 1)
      if (exponent < lex.length && skipDigits(lex, exponent) == lex.length) XsdDouble else null
    } else null
  }

  private def skipSign(lex: String, at: Int): Int =
    if (isAt(lex, at, '+') || isAt(lex, at, '-')) at + 1 else at

  private def skipDigits(lex: String, at: Int): Int = {
    var i = at
    while (i < lex.length && TurtleNames.isDigit(lex.charAt(i).toInt)) i += 1
    i
  }

  private def isAt(lex: String, at: Int, c: Char): Boolean = at < lex.length && lex.charAt(at) == c
}
