package org.jellyspark.core.terms

import java.lang.Character.{isHighSurrogate, isLowSurrogate, toCodePoint}

/** Terms as text: N-Triples with RDF-star's `<< s p o >>`, and RDF Patch's `<_:label>`. */
object NTriples {

  /** The text is not a term; the message says what was expected and where. */
  final class SyntaxException(message: String) extends Exception(message)

  /** A term's canonical text: each term has one, and [[parse]] gives the term back. */
  def format(term: Term): String = {
    val out = new java.lang.StringBuilder(64)
    append(term, out)
    out.toString
  }

  /** Reads one term; nothing may stand before or after it.
    *
    * @throws SyntaxException
    *   if the text is not a term
    */
  def parse(text: String): Term = new NTriplesParser(text).parse()

  private def append(term: Term, out: java.lang.StringBuilder): Unit = term match {
    case Iri(value)       => appendBracketed(value, out)
    case BlankNode(label) =>
      if (isBlankNodeLabel(label)) out.append("_:").append(label)
      else {
        out.append("<_:")
        appendIri(label, out)
        out.append('>')
      }
    case Literal(lex, lang, datatype) =>
      out.append('"')
      appendLexicalForm(lex, out)
      out.append('"')
      if (lang != null) {
        out.append('@')
        appendLanguageTag(lang, out)
      } else if (datatype != null) {
        out.append("^^")
        appendBracketed(datatype, out)
      }
    case QuotedTriple(s, p, o) =>
      out.append("<< ")
      append(s, out)
      out.append(' ')
      append(p, out)
      out.append(' ')
      append(o, out)
      out.append(" >>")
    case DefaultGraph =>
      throw new IllegalArgumentException("the default graph has no text")
  }

  private def appendLexicalForm(lex: String, out: java.lang.StringBuilder): Unit =
    // Most have nothing to escape, and go as a whole.
    if (lex.forall(isPlain)) out.append(lex)
    else {
      var i = 0
      while (i < lex.length) {
        lex.charAt(i) match {
          case '"'  => out.append("\\\"")
          case '\\' => out.append("\\\\")
          case '\n' => out.append("\\n")
          case '\r' => out.append("\\r")
          case c    => out.append(c)
        }
        i += 1
      }
    }

  /** What may stand in a literal unescaped. */
  private[jellyspark] def isPlain(c: Char): Boolean =
    c != '"' && c != '\\' && c != '\n' && c != '\r'

  private def appendBracketed(iri: String, out: java.lang.StringBuilder): Unit = {
    out.append('<')
    // Raw, `<_:x>` is a blank node.
    if (iri.startsWith("_:")) {
      out.append("\\u005F")
      appendIri(iri.substring(1), out)
    } else appendIri(iri, out)
    out.append('>')
  }

  private def appendIri(iri: String, out: java.lang.StringBuilder): Unit =
    if (iri.forall(isIriChar)) out.append(iri)
    else {
      var i = 0
      while (i < iri.length) {
        val c = iri.charAt(i)
        if (isIriChar(c)) out.append(c) else appendEscape(c.toInt, out)
        i += 1
      }
    }

  private def appendLanguageTag(tag: String, out: java.lang.StringBuilder): Unit = {
    var i = 0
    while (i < tag.length) {
      val c = tag.codePointAt(i)
      if (isLanguageTagChar(c)) out.append(c.toChar) else appendEscape(c, out)
      i += Character.charCount(c)
    }
  }

  private def appendEscape(c: Int, out: java.lang.StringBuilder): Unit = {
    out.append(if (c < 0x10000) f"\\u$c%04X" else f"\\U$c%08X")
    ()
  }

  /** N-Triples' IRIREF: what may stand in it unescaped. */
  private[jellyspark] def isIriChar(c: Char): Boolean =
    c > ' ' && (c match {
      case '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`' | '\\' => false
      case _                                                    => true
    })

  /** Whether all bytes from `from` to before `to` stand in language tags as they are. */
  private[jellyspark] def isLanguageTag(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from
    while (i < to && isLanguageTagChar(bytes(i).toInt)) i += 1
    i == to
  }

  private[jellyspark] def isLanguageTagChar(c: Int): Boolean =
    isAsciiLetter(c) || isDigit(c) || c == '-'

  /** N-Triples' BLANK_NODE_LABEL, after the `_:`. */
  private def isBlankNodeLabel(label: String): Boolean = {
    val n = label.length
    if (n == 0 || label.charAt(n - 1) == '.') return false
    var i = 0
    while (i < n) {
      val c = label.codePointAt(i)
      if (!(if (i == 0) isLabelStart(c) else isLabelPart(c))) return false
      i += Character.charCount(c)
    }
    true
  }

  private[jellyspark] def isLabelStart(c: Int): Boolean =
    isAsciiLetter(c) || c == '_' || isDigit(c) || isBaseBeyondAscii(c)

  private[jellyspark] def isLabelPart(c: Int): Boolean =
    isLabelStart(c) || c == '-' || c == '.' || isExtenderBeyondAscii(c)

  /** PN_CHARS_BASE, without the letters of ASCII. */
  private[jellyspark] def isBaseBeyondAscii(c: Int): Boolean =
    (c >= 0xc0 && c <= 0x2ff && c != 0xd7 && c != 0xf7) ||
      (c >= 0x370 && c <= 0x1fff && c != 0x37e) ||
      c == 0x200c || c == 0x200d ||
      (c >= 0x2070 && c <= 0x218f) ||
      (c >= 0x2c00 && c <= 0x2fef) ||
      (c >= 0x3001 && c <= 0xd7ff) ||
      (c >= 0xf900 && c <= 0xfdcf) ||
      (c >= 0xfdf0 && c <= 0xfffd) ||
      (c >= 0x10000 && c <= 0xeffff)

  /** What PN_CHARS has beyond PN_CHARS_BASE, without the characters of ASCII. */
  private[jellyspark] def isExtenderBeyondAscii(c: Int): Boolean =
    c == 0xb7 || (c >= 0x300 && c <= 0x36f) || c == 0x203f || c == 0x2040

  private def isAsciiLetter(c: Int): Boolean = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')

  private def isDigit(c: Int): Boolean = c >= '0' && c <= '9'
}

/** One text, read once. */
private[jellyspark] final class NTriplesParser(text: String) {
  import NTriples.SyntaxException

  private[this] var pos = 0

  def parse(): Term = {
    val term = parseTerm(0)
    if (pos < text.length) fail("the end of the term")
    term
  }

  private def parseTerm(depth: Int): Term =
    if (at("<<")) parseQuotedTriple(depth)
    else if (at("<")) parseIriOrBlankNode()
    else if (at("_:")) parseBlankNode()
    else if (at("\"")) parseLiteral()
    else fail("an RDF term in N-Triples syntax")

  private def parseQuotedTriple(depth: Int): Term = {
    if (depth == QuotedTriple.MaxDepth) {
      fail(s"quoted triples nested at most ${QuotedTriple.MaxDepth} deep")
    }
    pos += 2
    skipBlanks()
    val subject = parseTerm(depth + 1)
    skipBlanks()
    val predicate = parseTerm(depth + 1)
    skipBlanks()
    val obj = parseTerm(depth + 1)
    skipBlanks()
    if (!at(">>")) fail("'>>'")
    pos += 2
    QuotedTriple(subject, predicate, obj)
  }

  private def parseIriOrBlankNode(): Term = {
    val isLabel = text.startsWith("_:", pos + 1)
    pos += (if (isLabel) 3 else 1)
    val content = parseIriContent()
    if (isLabel) BlankNode(content) else Iri(content)
  }

  /** From after the `<` to after the `>`. */
  private def parseIriContent(): String = {
    val start = pos
    while (pos < text.length && NTriples.isIriChar(text.charAt(pos))) pos += 1
    if (at(">")) {
      pos += 1
      text.substring(start, pos - 1)
    } else {
      val out = new java.lang.StringBuilder(text.length - start).append(text, start, pos)
      while (!at(">")) {
        if (at("\\")) out.appendCodePoint(parseUnicodeEscape())
        else if (pos < text.length && NTriples.isIriChar(text.charAt(pos))) {
          out.append(text.charAt(pos))
          pos += 1
        } else fail("a character that an IRI may hold, or '>'")
      }
      pos += 1
      out.toString
    }
  }

  private def parseBlankNode(): Term = {
    pos += 2
    val start = pos
    if (isNext(NTriples.isLabelStart)) {
      while (isNext(NTriples.isLabelPart)) {
        pos += Character.charCount(text.codePointAt(pos))
      }
      // A label may hold dots, but not end in one.
      while (text.charAt(pos - 1) == '.') pos -= 1
    }
    if (pos == start) fail("a blank node label")
    BlankNode(text.substring(start, pos))
  }

  /** RDF 1.1 allows colons in labels, later versions do not: they are read, but not written. */
  private def isNext(accepts: Int => Boolean): Boolean =
    pos < text.length && (text.charAt(pos) == ':' || accepts(text.codePointAt(pos)))

  private def parseLiteral(): Term = {
    pos += 1
    val lex = parseLexicalForm()
    if (at("@")) {
      pos += 1
      Literal.tagged(lex, parseLanguageTag())
    } else if (at("^^<")) {
      pos += 3
      if (at("_:")) fail("the IRI of a datatype")
      Literal.typed(lex, parseIriContent())
    } else Literal.simple(lex)
  }

  /** From after the opening quote to after the closing one. */
  private def parseLexicalForm(): String = {
    val start = pos
    while (pos < text.length && NTriples.isPlain(text.charAt(pos))) pos += 1
    if (at("\"")) {
      pos += 1
      text.substring(start, pos - 1)
    } else {
      val out = new java.lang.StringBuilder(text.length - start).append(text, start, pos)
      while (!at("\"")) {
        if (at("\\")) out.appendCodePoint(parseEscape())
        else if (pos < text.length && NTriples.isPlain(text.charAt(pos))) {
          out.append(text.charAt(pos))
          pos += 1
        } else fail("a character that a literal may hold, or '\"'")
      }
      pos += 1
      out.toString
    }
  }

  private def parseLanguageTag(): String = {
    val out = new java.lang.StringBuilder
    while (pos < text.length && (at("\\") || NTriples.isLanguageTagChar(text.charAt(pos).toInt))) {
      if (at("\\")) out.appendCodePoint(parseUnicodeEscape())
      else {
        out.append(text.charAt(pos))
        pos += 1
      }
    }
    if (out.length == 0) fail("a language tag")
    out.toString
  }

  private def parseEscape(): Int =
    if (pos + 1 == text.length) fail("an escape sequence")
    else {
      val unescaped = text.charAt(pos + 1) match {
        case 't'                     => '\t'
        case 'b'                     => '\b'
        case 'n'                     => '\n'
        case 'r'                     => '\r'
        case 'f'                     => '\f'
        case c @ ('"' | '\'' | '\\') => c
        case _                       => return parseUnicodeEscape()
      }
      pos += 2
      unescaped.toInt
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
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      fail("an escape of a Unicode character")
    }
    pos = i
    code.toInt
  }

  private def skipBlanks(): Unit =
    while (pos < text.length && (text.charAt(pos) == ' ' || text.charAt(pos) == '\t')) pos += 1

  private def at(token: String): Boolean = text.startsWith(token, pos)

  private def fail(expected: String): Nothing = {
    val found =
      if (pos >= text.length) "the end"
      else {
        val c = text.charAt(pos)
        val whole =
          if (isHighSurrogate(c) && pos + 1 < text.length && isLowSurrogate(text.charAt(pos + 1)))
            toCodePoint(c, text.charAt(pos + 1))
          else c.toInt
        s"'${Character.toString(whole)}'"
      }
    val character = text.codePointCount(0, pos)
    throw new SyntaxException(s"expected $expected at character $character, found $found")
  }
}
