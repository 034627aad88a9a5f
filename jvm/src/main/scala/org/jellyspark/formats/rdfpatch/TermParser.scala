package org.jellyspark.formats.rdfpatch

import java.nio.charset.StandardCharsets.{ISO_8859_1, UTF_8}
import java.util.HashMap

import org.jellyspark.core._
import org.jellyspark.core.MalformedRowException.malformed

/** Reads terms and the other tokens of a row, each from its first byte to behind its last.
  *
  * Terms are those of N-Triples and what Turtle has beyond them (prefixed names, numbers, booleans,
  * four kinds of quotes), quoted triples of RDF-star and of RDF 1.2, and `<_:label>`. As Jena does,
  * it takes any character in `<>` that is not white space or one of them, and relative IRIs.
  *
  * What is wrong is raised as a [[org.jellyspark.core.MalformedRowException]].
  *
  * @param in
  *   the text, in a row
  */
private[rdfpatch] final class TermParser(in: TextInput) {
  import TermParser._

  /** Whether to make the terms and texts that are read; else they are checked alone, and null
    * stands for them.
    */
  var makes = true

  private[this] val prefixes = new HashMap[String, String]
  private[this] val known = new TermCache
  private[this] val lastDatatype = new LastToken
  private[this] val escapes = new Unescaper(in)
  private[this] var lastTag = ""

  /** Declares a prefix, or declares it anew. */
  def declare(prefix: String, namespace: String): Unit = {
    prefixes.put(prefix, namespace)
    known.clear()
    lastDatatype.forget()
  }

  /** Forgets all prefixes. */
  def forgetPrefixes(): Unit = {
    prefixes.clear()
    known.clear()
    lastDatatype.forget()
  }

  /** Reads a term; where none begins, `expected` says what should. */
  def term(expected: String): Term = term(expected, 0)

  private def term(expected: String, depth: Int): Term = in.peek match {
    case '<'                              => if (in.peek(1) == '<') triple(depth) else bracketed()
    case '"' | '\''                       => literal()
    case '_' if in.peek(1) == ':'         => blankNode()
    case '+' | '-' if isUnsignedAt(1)     => number()
    case c if Names.isDigit(c)            => number()
    case '.' if Names.isDigit(in.peek(1)) => number()
    case _                                => named(expected)
  }

  /** An IRI or a blank node in `<>`. */
  private def bracketed(): Term = {
    val start = in.place
    val seen = skipBracketed()
    val at = in.index(start)
    val length = in.pos - at
    if (!makes) {
      text(at + 1, in.pos - 1, seen, isLiteral = false)
      null
    } else {
      val before = known.find(in.buffer, at, length)
      if (before != null) before
      else {
        val made =
          if (in.buffer(at + 1) == '_' && in.buffer(at + 2) == ':')
            BlankNode(text(at + 3, in.pos - 1, seen, isLiteral = false))
          else Iri(text(at + 1, in.pos - 1, seen, isLiteral = false))
        known.put(in.buffer, at, length, made)
        made
      }
    }
  }

  /** What stands in `<>`, as an IRI, whatever it begins with. */
  def iri(): String = {
    val start = in.place
    val seen = skipBracketed()
    text(in.index(start) + 1, in.pos - 1, seen, isLiteral = false)
  }

  private def skipBracketed(): Int = {
    in.pos += 1
    val start = in.place
    var seen = 0
    while (true) {
      if (in.skip(IriRun)) seen |= NotAscii
      in.peek match {
        case '>' =>
          in.pos += 1
          return seen
        case '\\' =>
          in.pos += 1
          seen |= Escaped
        case 0 => in.pos += 1
        // Else what was held has ended, and there is more.
        case c =>
          if (IriRun.isStop(c)) {
            failIn(start, seen, isLiteral = false, "a character that an IRI may hold, or '>'")
          }
      }
    }
    seen
  }

  private def blankNode(): Term = {
    in.pos += 2
    val start = in.place
    if (Names.isLocalStart(character)) skipName(Names.LocalPart)
    if (in.place == start) in.failChar("a blank node label")
    if (makes) BlankNode(word(start)) else null
  }

  private def triple(depth: Int): Term = {
    if (depth == QuotedTriple.MaxDepth) {
      in.failToken(s"quoted triples nested at most ${QuotedTriple.MaxDepth} deep")
    }
    in.pos += 2
    val end = if (in.peek == '(') ")>>" else ">>"
    if (in.peek == '(') in.pos += 1
    in.skipBlank()
    val subject = term(AnyTerm, depth + 1)
    in.skipBlank()
    val predicate = term(AnyTerm, depth + 1)
    in.skipBlank()
    val obj = term(AnyTerm, depth + 1)
    in.skipBlank()
    if (!in.isNext(end)) in.failToken(s"'$end'")
    in.pos += end.length
    if (makes) QuotedTriple(subject, predicate, obj) else null
  }

  private def literal(): Term = {
    val lex = string()
    in.skipBlank()
    in.peek match {
      case '@' =>
        val tag = languageTag()
        if (makes) Literal.tagged(lex, tag) else null
      case '^' =>
        if (in.peek(1) != '^') in.failToken("'^^'")
        in.pos += 2
        in.skipBlank()
        val iri = datatype()
        if (makes) Literal.typed(lex, iri) else null
      case _ => if (makes) Literal.simple(lex) else null
    }
  }

  /** Whether a string begins here. */
  def isString: Boolean = in.peek == '"' || in.peek == '\''

  /** A string, in whichever quotes. */
  def string(): String = {
    val quote = in.peek
    val isLong = in.peek(1) == quote && in.peek(2) == quote
    val quotes = if (isLong) 3 else 1
    in.pos += quotes
    val start = in.place
    val seen = skipString(quote, isLong, stringRun(quote, isLong))
    text(in.index(start), in.pos - quotes, seen, isLiteral = true)
  }

  private def skipString(quote: Int, isLong: Boolean, run: Run): Int = {
    val start = in.place
    var seen = 0
    while (true) {
      if (in.skip(run)) seen |= NotAscii
      in.peek match {
        case '\\' =>
          seen |= Escaped
          in.pos += 1
          // A quote that is escaped ends nothing.
          if (in.peek == quote || in.peek == '\\') in.pos += 1
        case c if c == quote && isLong && !(in.peek(1) == quote && in.peek(2) == quote) =>
          in.pos += 1
        case c if c == quote =>
          in.pos += (if (isLong) 3 else 1)
          return seen
        case '\n' if isLong =>
          in.pos += 1
          in.line += 1
        case 0 => in.pos += 1
        // Else what was held has ended, and there is more.
        case c =>
          if (run.isStop(c)) {
            val end = quote.toChar.toString * (if (isLong) 3 else 1)
            failIn(start, seen, isLiteral = true, s"a character that a literal may hold, or '$end'")
          }
      }
    }
    seen
  }

  /** From the `@` on: LANGTAG, with a base direction as in RDF 1.2. */
  private def languageTag(): String = {
    in.pos += 1
    val start = in.place
    if (!skip(Names.Letter)) in.failChar(AnyTag)
    var goesOn = true
    while (goesOn && in.peek == '-') {
      in.pos += 1
      if (in.peek == '-') {
        in.pos += 1
        skipDirection()
        goesOn = false
      } else if (!skip(Names.LetterOrDigit)) in.failChar(AnyTag)
    }
    if (Names.isLetterOrDigit(in.peek)) in.failChar(AnyTag)
    if (makes && !isText(start, lastTag)) lastTag = ascii(start)
    lastTag
  }

  private def skipDirection(): Unit = {
    val start = in.place
    skip(Names.TagPart)
    if (!Names.Directions(ascii(start))) {
      in.pos = in.index(start)
      in.failChar(AnyTag)
    }
  }

  private def datatype(): String =
    if (lastDatatype.isNext(in)) {
      in.pos += lastDatatype.length
      if (makes) lastDatatype.term.asInstanceOf[Iri].value else null
    } else if (in.peek == '<') {
      val start = in.place
      val value = iri()
      if (makes) lastDatatype.set(in, start, Iri(value))
      value
    } else {
      val start = in.place
      if (!skipPrefix()) {
        in.pos = in.index(start)
        in.failToken("the IRI of a datatype")
      }
      prefixedName(start).value
    }

  /** A number in one of Turtle's forms, which begins here. */
  private def number(): Term = {
    val start = in.place
    if (isSign(in.peek)) in.pos += 1
    val hasDigits = skip(Names.Digit)
    var datatype = Numbers.XsdInteger
    if (in.peek == '.') {
      if (Names.isDigit(in.peek(1))) {
        in.pos += 1
        skip(Names.Digit)
        datatype = Numbers.XsdDecimal
      } else if (hasDigits && isExponent(in.peek(1))) in.pos += 1
    }
    if (isExponent(in.peek)) {
      in.pos += 1
      if (isSign(in.peek)) in.pos += 1
      if (!skip(Names.Digit)) in.failChar("the digits of an exponent")
      datatype = Numbers.XsdDouble
    }
    if (in.peek == ':' || in.peek == '+' || isNamePart) {
      in.failToken("the end of the number")
    }
    if (makes) Literal.typed(ascii(start), datatype) else null
  }

  /** Whether a number without a sign begins `ahead` of here. */
  private def isUnsignedAt(ahead: Int): Boolean = {
    val c = in.peek(ahead)
    Names.isDigit(c) || (c == '.' && Names.isDigit(in.peek(ahead + 1)))
  }

  /** A boolean or a prefixed name. */
  private def named(expected: String): Term = {
    val start = in.place
    if (skipPrefix()) prefixedName(start)
    else if (isText(start, "true")) Numbers.True
    else if (isText(start, "false")) Numbers.False
    else {
      in.pos = in.index(start)
      in.failToken(expected)
    }
  }

  /** Whether a character that names may hold stands here. */
  def isNamePart: Boolean = Names.isPart(character)

  /** Moves over a word; answers whether there is one. */
  def skipWord(): Boolean = Names.isStart(character) && {
    skipName(Names.Part)
    true
  }

  /** Moves over what may be a prefix, or nothing; answers whether its colon follows. */
  def skipPrefix(): Boolean = {
    skipWord()
    in.peek == ':'
  }

  /** Whether what stands from a place to here is `text`, which is ASCII. */
  def isText(start: Int, text: String): Boolean = {
    val at = in.index(start)
    val length = text.length
    var i = 0
    if (in.pos - at == length) while (i < length && in.buffer(at + i) == text.charAt(i)) i += 1
    i == length && in.pos - at == length
  }

  /** The characters from a place to here, which were seen to be characters. */
  def word(start: Int): String =
    if (makes) new String(in.buffer, in.index(start), in.place - start, UTF_8) else null

  /** From the colon on, an IRI whose prefix begins at `start`. */
  def prefixedName(start: Int): Iri = {
    val colon = in.place
    in.pos += 1
    val isEscaped = skipLocalName()
    val at = in.index(start)
    val before = known.find(in.buffer, at, in.pos - at)
    if (before != null) before.asInstanceOf[Iri]
    else {
      val prefix = new String(in.buffer, at, colon - start, UTF_8)
      val namespace = prefixes.get(prefix)
      if (namespace == null) malformed("a declared prefix", TextInput.quoted(s"$prefix:"))
      val local = new String(in.buffer, in.index(colon) + 1, in.place - colon - 1, UTF_8)
      val made = Iri(namespace + (if (isEscaped) local.replaceAll("\\\\(.)", "$1") else local))
      known.put(in.buffer, at, in.pos - at, made)
      made
    }
  }

  /** Moves over a local name, or nothing; answers whether characters in it are escaped. */
  private def skipLocalName(): Boolean = {
    var isEscaped = false
    var end = in.place // dots at the end are none of it
    var goesOn = isLocalStart(character)
    while (goesOn) {
      character match {
        case '.' => in.pos += 1
        case '%' =>
          in.pos += 1
          if (!skipHexDigit() || !skipHexDigit()) in.failChar("2 hexadecimal digits")
          end = in.place
        case '\\' =>
          if (!Names.isEscapable(in.peek(1))) in.failChar("an escape of a name")
          in.pos += 2
          end = in.place
          isEscaped = true
        case c if Names.isLocalPart(c) =>
          in.pos += Utf8.length(c)
          end = in.place
        case _ => goesOn = false
      }
    }
    in.pos = in.index(end)
    isEscaped
  }

  private def skipHexDigit(): Boolean = {
    val isHex = Character.digit(in.peek, 16) >= 0
    if (isHex) in.pos += 1
    isHex
  }

  /** Moves over the rest of a name, which ends in no dot, from its first character on.
    *
    * @param kind
    *   of its other characters
    */
  private def skipName(kind: Int): Unit = {
    in.pos += Utf8.length(character)
    var end = in.place
    var goesOn = true
    while (goesOn) {
      val c = character
      if (Names.is(c, kind)) {
        in.pos += Utf8.length(c)
        end = in.place
      } else if (c == '.') in.pos += 1
      else goesOn = false
    }
    in.pos = in.index(end)
  }

  /** Moves over ASCII characters of a kind; answers whether there are any. */
  private def skip(kind: Int): Boolean = {
    val start = in.place
    while (Names.is(in.peek, kind)) in.pos += 1
    in.place > start
  }

  /** The character here; negative at the end, and where the bytes are not UTF-8. */
  private def character: Int = {
    val b = in.peek
    if (b < 0x80) b
    else {
      val length = in.sequence()
      if (length == 0) -1 else Utf8.character(in.buffer, in.pos, length)
    }
  }

  /** The ASCII text from a place to here. */
  private def ascii(start: Int): String =
    new String(in.buffer, in.index(start), in.place - start, ISO_8859_1)

  /** The text of a part of the buffer, in which `seen` was seen. */
  private def text(from: Int, to: Int, seen: Int, isLiteral: Boolean): String =
    if ((seen & Escaped) != 0) escapes.unescape(from, to, isLiteral)
    else if (!makes) {
      if (seen != 0 && !Utf8.isValid(in.buffer, from, to)) in.failUtf8()
      null
    } else if (seen == 0) new String(in.buffer, from, to - from, ISO_8859_1)
    else {
      val decoded = Utf8.decode(in.buffer, from, to)
      if (decoded == null) in.failUtf8()
      decoded
    }

  /** Raises what is wrong with the text from `start` on, or else that `expected` is not here. */
  private def failIn(start: Int, seen: Int, isLiteral: Boolean, expected: String): Nothing = {
    in.peek // so that a character that is cut off is seen to be
    text(in.index(start), in.pos, seen, isLiteral)
    in.failChar(expected)
  }
}

private object TermParser {

  /** What was seen in the text of a token. */
  private final val NotAscii = 1
  private final val Escaped = 2

  private val AnyTerm = "an RDF term"
  private val AnyTag = "a language tag"

  private val IriRun = new Run(" \t\r\n<>\\")
  private val DoubleRun = new Run("\"\\\r\n")
  private val SingleRun = new Run("'\\\r\n")
  private val LongDoubleRun = new Run("\"\\\n")
  private val LongSingleRun = new Run("'\\\n")

  private def stringRun(quote: Int, isLong: Boolean): Run =
    if (quote == '"') { if (isLong) LongDoubleRun else DoubleRun }
    else if (isLong) LongSingleRun
    else SingleRun

  private def isLocalStart(c: Int): Boolean = Names.isLocalStart(c) || c == '%' || c == '\\'

  private def isSign(c: Int): Boolean = c == '+' || c == '-'

  private def isExponent(c: Int): Boolean = c == 'e' || c == 'E'
}
