package org.jellyspark.formats.sparqlupdate

import scala.util.matching.Regex

/** Text that all parsers of SPARQL read alike.
  *
  * A parser may replace codepoint escapes such as `\u0041` before it parses anything else (SPARQL
  * 1.1 Query, section 19.2), also behind an escaped backslash, and in comments, which a line feed
  * would end. Another one takes a tab in a literal for a space.
  */
private[sparqlupdate] object SparqlText {

  /** Whether a canonical literal, the bytes from `from` to before `to`, must be changed. */
  def isAmbiguous(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i < to && bytes(i) != '\t' && !(bytes(i) == '\\' && isLetter(bytes(i + 1)))) i += 1
    i < to
  }

  /** The text of a literal, from its canonical text. */
  def literal(canonical: String): String = comment(canonical).replace("\t", "\\t")

  /** The text of a comment. A letter that would begin an escape becomes one itself, of eight
    * digits: no digit behind it can belong to that.
    */
  def comment(text: String): String =
    if (text.indexOf('\\') < 0) text else Escape.replaceAllIn(text, found => escapes(found.matched))

  private val Escape = """\\[uU]""".r
  private val escapes = Map("\\u" -> 'u', "\\U" -> 'U').map { case (start, letter) =>
    start -> Regex.quoteReplacement(f"\\\\U${letter.toInt}%08X")
  }

  private def isLetter(b: Byte): Boolean = b == 'u' || b == 'U'
}
