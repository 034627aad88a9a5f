package org.jellyspark.core.terms

import java.lang.Character.{isHighSurrogate, isLowSurrogate, toCodePoint}

import org.jellyspark.core.errors.MalformedRowException.quoted

/** Converts terms to and from text: N-Triples, with RDF 1.2's `<<( s p o )>>` for triple terms and
  * RDF Patch's `<_:label>` for blank nodes. It also reads RDF-star's `<< s p o >>`.
  */
object NTriples {

  /** Thrown if a text is not a term. The message says what was expected, where, and what was found.
    *
    * It has no stack trace, because creating one would take most of the time of rejecting a text.
    */
  final class SyntaxException(message: String) extends Exception(message, null, false, false)

  /** Returns the canonical text of a term. Each term has exactly one, and [[parse]] converts it
    * back to an equal term.
    *
    * @throws java.lang.IllegalArgumentException
    *   if the term is the default graph, which has no text
    */
  def format(term: Term): String = term.nTriples

  /** Parses a term, whose text need not be canonical.
    *
    * @throws SyntaxException
    *   if the text is not a term, or has anything before or after the term
    */
  def parse(text: String): Term = new NTriplesParser(text).parse()
}

/** A recursive descent parser for a single text. */
private final class NTriplesParser(text: String) {
  import NTriples.SyntaxException

  // The index of the next UTF-16 code unit.
  private[this] var pos = 0

  def parse(): Term = {
    val term = parseTerm(0)
    if (pos < text.length) fail("the end of the term")
    term
  }

  private def parseTerm(depth: Int): Term =
    if (at("<<")) parseTripleTerm(depth)
    else if (at("<")) parseIriOrBlankNode()
    else if (at("_:")) parseBlankNode()
    else if (at("\"")) parseLiteral()
    else fail("an RDF term in N-Triples syntax")

  private def parseTripleTerm(depth: Int): Term = {
    if (depth == TripleTerm.MaxDepth) {
      fail(s"triple terms nested at most ${TripleTerm.MaxDepth} deep")
    }
    pos += 2
    val hasParentheses = at("(")
    if (hasParentheses) pos += 1
    skipBlanks()
    val subject = parseTerm(depth + 1)
    skipBlanks()
    val predicate = parseTerm(depth + 1)
    skipBlanks()
    val obj = parseTerm(depth + 1)
    skipBlanks()
    val end = if (hasParentheses) ")>>" else ">>"
    if (!at(end)) fail(s"'$end'")
    pos += end.length
    TripleTerm(subject, predicate, obj)
  }

  private def parseIriOrBlankNode(): Term = {
    val isLabel = text.startsWith("_:", pos + 1)
    pos += (if (isLabel) 3 else 1)
    val content = parseContent(isIri = true)
    if (isLabel) BlankNode(content) else Iri(content)
  }

  /** Reads the rest of an IRI or of a lexical form, from after the opening delimiter to after the
    * closing one.
    */
  private def parseContent(isIri: Boolean): String = {
    val end = if (isIri) ">" else "\""
    val start = pos
    while (isPlain(isIri)) pos += 1
    if (at(end)) {
      pos += 1
      text.substring(start, pos - 1)
    } else {
      val out = new java.lang.StringBuilder(text.length - start).append(text, start, pos)
      while (!at(end)) {
        if (at("\\")) out.appendCodePoint(if (isIri) parseUnicodeEscape() else parseEscape())
        else if (isPlain(isIri)) {
          out.append(text.charAt(pos))
          pos += 1
        } else fail(s"a character that ${if (isIri) "an IRI" else "a literal"} may hold, or '$end'")
      }
      pos += 1
      out.toString
    }
  }

  private def isPlain(isIri: Boolean): Boolean = pos < text.length && {
    val c = text.charAt(pos)
    if (isIri) NTriplesChars.isIriChar(c) else NTriplesChars.isLiteralChar(c)
  }

  private def parseBlankNode(): Term = {
    pos += 2
    val start = pos
    if (isNext(NTriplesChars.isLabelStart)) {
      while (isNext(NTriplesChars.isLabelPart)) {
        pos += Character.charCount(text.codePointAt(pos))
      }
      // A label may contain dots, but must not end with one.
      while (text.charAt(pos - 1) == '.') pos -= 1
    }
    if (pos == start) fail("a blank node label")
    BlankNode(text.substring(start, pos))
  }

  /** Whether the next character may be part of a label: `accepts` allows it or it is a colon. RDF
    * 1.1 allows colons in labels and later versions do not, so they are read but not written.
    */
  private def isNext(accepts: Int => Boolean): Boolean =
    pos < text.length && (text.charAt(pos) == ':' || accepts(text.codePointAt(pos)))

  private def parseLiteral(): Term = {
    pos += 1
    val lex = parseContent(isIri = false)
    if (at("@")) {
      pos += 1
      Literal.tagged(lex, parseLanguageTag())
    } else if (at("^^<")) {
      pos += 3
      if (at("_:")) fail("the IRI of a datatype")
      Literal.typed(lex, parseContent(isIri = true))
    } else Literal.simple(lex)
  }

  private def parseLanguageTag(): String = {
    val start = pos
    val out = new java.lang.StringBuilder
    while (
      pos < text.length && (at("\\") || NTriplesChars.isLanguageTagChar(text.charAt(pos).toInt))
    ) {
      if (at("\\")) out.appendCodePoint(parseUnicodeEscape())
      else {
        out.append(text.charAt(pos))
        pos += 1
      }
    }
    if (out.length == 0) fail("a language tag")
    val tag = out.toString
    val expected = BaseDirection.expectedFor(tag)
    if (expected != null) fail(expected, start, quoted(tag))
    tag
  }

  private def parseEscape(): Int =
    if (pos + 1 == text.length) fail("an escape sequence")
    else {
      val unescaped = EscapeSequences.simple(text.charAt(pos + 1).toInt)
      if (unescaped == EscapeSequences.NoCharacter) parseUnicodeEscape()
      else {
        pos += 2
        unescaped
      }
    }

  private def parseUnicodeEscape(): Int = {
    val digits = if (at("\\u")) 4 else if (at("\\U")) 8 else fail("an escape sequence")
    val start = pos + 2
    var code = 0L
    var i = start
    while (i < start + digits) {
      val digit = if (i < text.length) Character.digit(text.charAt(i), 16) else -1
      if (digit < 0 || text.charAt(i) > 'f') fail(s"$digits hexadecimal digits")
      code = code * 16 + digit
      i += 1
    }
    if (!EscapeSequences.isCharacter(code)) fail("an escape of a Unicode character")
    pos = i
    code.toInt
  }

  private def skipBlanks(): Unit =
    while (pos < text.length && (text.charAt(pos) == ' ' || text.charAt(pos) == '\t')) pos += 1

  private def at(token: String): Boolean = text.startsWith(token, pos)

  private def fail(expected: String): Nothing = {
    val found =
      if (pos >= text.length) "the end of the string"
      else {
        val c = text.charAt(pos)
        val whole =
          if (isHighSurrogate(c) && pos + 1 < text.length && isLowSurrogate(text.charAt(pos + 1)))
            toCodePoint(c, text.charAt(pos + 1))
          else c.toInt
        s"'${Character.toString(whole)}'"
      }
    fail(expected, pos, found)
  }

  private def fail(expected: String, at: Int, found: String): Nothing = {
    val character = text.codePointCount(0, at)
    throw new SyntaxException(s"expected $expected at character $character, found $found")
  }
}
