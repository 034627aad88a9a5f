package org.jellyspark.formats.sparqlupdate

import scala.util.matching.Regex

/** Rewrites text so that all SPARQL parsers read it in the same way.
  *
  * A parser may replace codepoint escapes such as `\u0041` before it parses anything else (SPARQL
  * 1.1 Query, section 19.2), even after an escaped backslash and in comments, which an escaped line
  * feed would end. Another parser reads a tab in a literal as a space.
  */
private[sparqlupdate] object SparqlText {

  /** Whether the canonical literal `bytes[from, to)` must be rewritten. */
  def isAmbiguous(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i < to && bytes(i) != '\t' && !(bytes(i) == '\\' && isLetter(bytes(i + 1)))) i += 1
    i < to
  }

  /** The text of a literal, given its canonical text. */
  def literal(canonical: String): String = comment(canonical).replace("\t", "\\t")

  /** The text of a comment. A letter that would begin an escape is itself replaced by an escape of
    * eight digits, so that no digit after it can become part of the escape.
    */
  def comment(text: String): String =
    if (text.indexOf('\\') < 0) text else Escape.replaceAllIn(text, found => escapes(found.matched))

  private val Escape = """\\[uU]""".r
  private val escapes = Map("\\u" -> 'u', "\\U" -> 'U').map { case (start, letter) =>
    start -> Regex.quoteReplacement(f"\\\\U${letter.toInt}%08X")
  }

  private def isLetter(b: Byte): Boolean = b == 'u' || b == 'U'
}
