package org.jellyspark.formats.rdfpatch

import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.bytes.Swar
import org.jellyspark.text.{CanonicalTerms, StatementScanner, TurtleNames}

/** Finds the terms of a statement of RDF Patch without parsing them. Besides canonical terms, the
  * object may be an integer, a decimal or a boolean without quotes, before a space or a tab.
  */
private[rdfpatch] final class RowScanner
    extends StatementScanner(hasGraphs = true, strict = false) {
  import RowScanner._

  override protected def endOfUnquoted(bytes: Array[Byte], at: Int): Int = {
    val word = Swar.load(bytes, at)
    val end =
      if (Swar.keepFirst(word, 4) == True) endOfBoolean(at + 4)
      else if (Swar.keepFirst(word, 5) == False) endOfBoolean(at + 5)
      else endOfNumber(bytes, at)
    if (isBlank(bytes(end))) end else CanonicalTerms.NotCanonical
  }

  private def endOfBoolean(end: Int): Int = {
    objectType = UnquotedLiterals.XsdBoolean
    end
  }

  /** Returns the index after a number without an exponent, or, if no such number begins at `at`, an
    * index where there is no blank.
    */
  private def endOfNumber(bytes: Array[Byte], at: Int): Int = {
    val start = if (bytes(at) == '+' || bytes(at) == '-') at + 1 else at
    val point = skipDigits(bytes, start)
    if (bytes(point) == '.') {
      objectType = UnquotedLiterals.XsdDecimal
      val end = skipDigits(bytes, point + 1)
      if (end == point + 1) point else end
    } else {
      objectType = UnquotedLiterals.XsdInteger
      if (point == start) at else point
    }
  }

  private def skipDigits(bytes: Array[Byte], from: Int): Int = {
    var i = from
    while (TurtleNames.isDigit(bytes(i).toInt)) i += 1
    i
  }
}

private[rdfpatch] object RowScanner {
  private val True = word("true")
  private val False = word("false")

  /** Whether a byte is a space or a tab. */
  def isBlank(b: Byte): Boolean = b == ' ' || b == '\t'

  private def word(text: String): Long =
    Swar.loadUpTo(text.getBytes(UTF_8), 0, text.length)
}
