package org.jellyspark.text

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.{Swar, Utf8}
import org.jellyspark.core.terms.{
  EscapeSequences,
  Literal,
  LiteralEscapes,
  NTriplesBytes,
  NTriplesSwar
}

/** Recognizes terms in canonical N-Triples (absolute IRIs, blank nodes and literals) without
  * creating objects for them.
  *
  * Each method takes the index at which a term should begin, and returns the index after the term
  * or [[NotCanonical]]. The latter does not mean that the term is not canonical: rare forms, such
  * as non-ASCII labels or IRIs with escapes, are not recognized. The caller then parses the term.
  *
  * Text is scanned eight bytes at a time (SWAR), possibly past the end of the term. The array must
  * therefore contain a line feed somewhere after the term, as no canonical term contains one, and
  * [[Slack]] more bytes after that.
  */
private[jellyspark] object CanonicalTerms {

  /** Returned instead of an index if no canonical term was recognized. */
  final val NotCanonical = -1

  /** The number of bytes that an array must have after the line feed. */
  final val Slack = 2 * Swar.Size

  /** One of the methods as an object, to pass as an argument. */
  trait Test {
    def end(bytes: Array[Byte], at: Int): Int
  }

  /** Recognizes an IRI. */
  val IriTest: Test = iri(_, _)

  /** Recognizes an IRI or a blank node. */
  val ResourceTest: Test = resource(_, _)

  /** Recognizes an IRI, a blank node or a literal. */
  val AnyTest: Test = any(_, _)

  def any(bytes: Array[Byte], at: Int): Int =
    if (bytes(at) == '"') literal(bytes, at) else resource(bytes, at)

  def resource(bytes: Array[Byte], at: Int): Int =
    if (bytes(at) == '<') iri(bytes, at) else blankNode(bytes, at)

  def iri(bytes: Array[Byte], at: Int): Int =
    if (bytes(at) == '<' && hasScheme(bytes, at + 1)) endOfIri(bytes, at + 1) else NotCanonical

  private def endOfIri(bytes: Array[Byte], from: Int): Int = {
    var i = from
    var seen = 0L
    while (true) {
      val word = Swar.load(bytes, i)
      val marks = NTriplesSwar.iriNeedsEscape(word)
      if (marks == 0) {
        seen |= word
        i += Swar.Size
      } else {
        val count = Swar.firstMarked(marks)
        seen |= Swar.keepFirst(word, count)
        i += count
        val b = bytes(i)
        if (b == '>') return if (isUtf8(seen, bytes, from, i)) i + 1 else NotCanonical
        // `iriNeedsEscape` also marks these two characters, which IRIs may contain.
        if (b != '~' && b != 0x7f) return NotCanonical
        i += 1
      }
    }
    NotCanonical
  }

  /** Whether an IRI begins with a scheme. Tests the two most frequent schemes first. */
  private def hasScheme(bytes: Array[Byte], from: Int): Boolean = {
    val word = Swar.load(bytes, from)
    Swar.keepFirst(word, 5) == Http || Swar.keepFirst(word, 6) == Https || {
      var i = from
      while (isOf(bytes(i), TurtleNames.LetterOrDigit) || SchemeMarks.indexOf(bytes(i).toInt) >= 0)
        i += 1
      bytes(i) == ':' && isOf(bytes(from), TurtleNames.Letter)
    }
  }

  def blankNode(bytes: Array[Byte], at: Int): Int =
    if (bytes(at) != '_' || bytes(at + 1) != ':' || !NTriplesBytes.isLabelStart(bytes(at + 2)))
      NotCanonical
    else {
      var i = at + 3
      while (NTriplesBytes.isLabelPart(bytes(i))) i += 1
      if (bytes(i) < 0) NotCanonical
      else {
        while (bytes(i - 1) == '.') i -= 1
        i
      }
    }

  def literal(bytes: Array[Byte], at: Int): Int =
    endOfLiteral(bytes, endOfLexicalForm(bytes, at + 1, anyEscapes = false))

  /** Like [[literal]], but with any escape sequences, such as `\t` and `\u00e9`, which
    * [[makeCanonical]] replaces.
    */
  def escapedLiteral(bytes: Array[Byte], at: Int): Int =
    endOfLiteral(bytes, endOfLexicalForm(bytes, at + 1, anyEscapes = true))

  /** Makes a literal canonical. This happens in place, because the canonical form is never longer.
    *
    * @param end
    *   the index after the literal, as returned by [[escapedLiteral]]
    * @return
    *   the index after the canonical form
    */
  def makeCanonical(bytes: Array[Byte], at: Int, end: Int): Int = {
    var from = at + 1
    var to = from
    while (bytes(from) != '"') {
      if (bytes(from) == '\\') {
        val c = EscapeSequences.codePointAt(bytes, from)
        from += EscapeSequences.lengthAt(bytes, from)
        to += putCharacter(c, bytes, to)
      } else {
        bytes(to) = bytes(from)
        from += 1
        to += 1
      }
    }
    System.arraycopy(bytes, from, bytes, to, end - from)
    to + end - from
  }

  private def putCharacter(c: Int, bytes: Array[Byte], at: Int): Int = {
    val letter = if (c < 0x80) LiteralEscapes.of(c.toByte) else 0.toByte
    if (letter == 0) Utf8.encode(c, bytes, at)
    else {
      bytes(at) = '\\'
      bytes(at + 1) = letter
      2
    }
  }

  /** Returns the index after the literal whose lexical form ends with the quote at `quote`. */
  private def endOfLiteral(bytes: Array[Byte], quote: Int): Int = {
    if (quote == NotCanonical) return NotCanonical
    val b = bytes(quote + 1)
    if (b == '@') endOfTag(bytes, quote + 2)
    else if (b == '^') endOfDatatype(bytes, quote + 1)
    // White space is allowed before a language tag or a datatype.
    else if (b == ' ' || b == '\t') beforeBlanks(bytes, quote + 1)
    else quote + 1
  }

  /** Returns the index after the escape sequence at `at`, unless it is not allowed. */
  private def endOfEscape(bytes: Array[Byte], at: Int, any: Boolean): Int =
    if (bytes(at) != '\\') NotCanonical
    else if (LiteralEscapes.isLetter(bytes(at + 1))) at + 2
    else if (any && EscapeSequences.codePointAt(bytes, at) >= 0)
      at + EscapeSequences.lengthAt(bytes, at)
    else NotCanonical

  /** Returns the index of the closing quote.
    *
    * @param anyEscapes
    *   whether to allow all escape sequences instead of only canonical ones
    */
  private def endOfLexicalForm(bytes: Array[Byte], from: Int, anyEscapes: Boolean): Int = {
    var i = from
    var seen = 0L
    while (true) {
      val word = Swar.load(bytes, i)
      val marks = NTriplesSwar.literalNeedsEscape(word)
      if (marks == 0) {
        seen |= word
        i += Swar.Size
      } else {
        val count = Swar.firstMarked(marks)
        seen |= Swar.keepFirst(word, count)
        i += count
        val b = bytes(i)
        if (b == '"') return if (isUtf8(seen, bytes, from, i)) i else NotCanonical
        i = endOfEscape(bytes, i, anyEscapes)
        if (i == NotCanonical) return NotCanonical
      }
    }
    NotCanonical
  }

  private def beforeBlanks(bytes: Array[Byte], at: Int): Int = {
    var i = at
    while (bytes(i) == ' ' || bytes(i) == '\t') i += 1
    if (bytes(i) == '@' || bytes(i) == '^') NotCanonical else at
  }

  private def endOfTag(bytes: Array[Byte], from: Int): Int = {
    var i = from
    while (isOf(bytes(i), TurtleNames.Letter)) i += 1
    var start = from
    while (i > start && bytes(i) == '-') {
      i += 1
      start = i
      while (isOf(bytes(i), TurtleNames.LetterOrDigit)) i += 1
    }
    if (i == start && i > from) endOfDirection(bytes, i - 1)
    else if (i == start || isOf(bytes(i), TurtleNames.LetterOrDigit)) NotCanonical
    else i
  }

  /** Returns the index after the base direction that should begin at `at`. */
  private def endOfDirection(bytes: Array[Byte], at: Int): Int = {
    val end = at + NTriplesBytes.DirectionSize
    if (!NTriplesBytes.isDirection(bytes, at, end) || isOf(bytes(end), TurtleNames.TagPart))
      NotCanonical
    else end
  }

  private def endOfDatatype(bytes: Array[Byte], at: Int): Int =
    if (bytes(at + 1) != '^') NotCanonical
    else {
      val end = iri(bytes, at + 2)
      // Canonical literals omit the datatype xsd:string.
      val isString = end - at == XsdString.length &&
        Arrays.equals(bytes, at, end, XsdString, 0, XsdString.length)
      if (isString) NotCanonical else end
    }

  private def isUtf8(seen: Long, bytes: Array[Byte], from: Int, to: Int): Boolean =
    Swar.nonAscii(seen) == 0 || Utf8.isValid(bytes, from, to)

  private def isOf(b: Byte, kind: Int): Boolean = b >= 0 && TurtleNames.is(b.toInt, kind)

  private val SchemeMarks = "+-."
  private val XsdString = s"^^<${Literal.XsdString}>".getBytes(UTF_8)
  private val Http = word("http:")
  private val Https = word("https:")

  private def word(text: String): Long = {
    val bytes = text.getBytes(UTF_8)
    Swar.loadUpTo(bytes, 0, bytes.length)
  }
}
