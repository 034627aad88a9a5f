package org.jellyspark.formats.rdfpatch

import java.util.HashMap

import org.jellyspark.core.errors.MalformedRowException.{malformed, quoted}
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.terms._
import org.jellyspark.text.{DelimitedTextReader, NameScanner, TextInput, TurtleNames}

/** Parses terms. Each call moves from the first byte of a term past its last one.
  *
  * It accepts the terms of N-Triples; Turtle's prefixed names, numbers, booleans and four kinds of
  * quotes; triple terms as in RDF 1.2 and as in RDF-star; and `<_:label>`. Like Jena, it accepts
  * relative IRIs, and any character except white space, `<` and `>` within `<>`.
  *
  * For a malformed term, it throws a [[org.jellyspark.core.errors.MalformedRowException]].
  *
  * @param in
  *   the input, positioned inside a row
  * @param rowLimit
  *   the longest row
  */
private[rdfpatch] final class TermParser(in: TextInput, rowLimit: RowLimit) {
  import TermParser._

  private[this] val names = new NameScanner(in)
  private[this] val enclosed = new DelimitedTextReader(in)
  private[this] val prefixes = new HashMap[String, String]
  // The total length of all namespaces.
  private[this] var declared = 0L
  private[this] val known = new TermCache[Term]
  private[this] val lastDatatype = new PreviousTerm
  private[this] val tripleSize = new TripleTermSize(rowLimit)
  private[this] var lastTag = ""

  /** Whether terms are created. If not, they are only checked, and returned as null. */
  def makesTerms: Boolean = enclosed.isMade

  def makesTerms_=(makes: Boolean): Unit = enclosed.isMade = makes

  /** Begins a row. */
  def startRow(): Unit = tripleSize.startRow()

  /** Whether any prefix is declared. */
  def hasPrefixes: Boolean = !prefixes.isEmpty

  /** Declares a prefix, replacing any with the same name. */
  def declare(prefix: String, namespace: String): Unit = {
    val before = prefixes.put(prefix, namespace)
    declared += namespace.length.toLong - (if (before == null) 0 else before.length)
    rowLimit.checkDeclared("prefixes", declared)
    known.clear()
  }

  /** Forgets all prefixes. */
  def forgetPrefixes(): Unit = {
    prefixes.clear()
    declared = 0
    known.clear()
  }

  /** Reads a term.
    *
    * @param expected
    *   what the error message says was expected if no term begins here
    */
  def term(expected: String): Term = term(expected, 0)

  private def term(expected: String, depth: Int): Term = in.peek match {
    case '<'                          => if (in.peek(1) == '<') triple(depth) else bracketed()
    case '"' | '\''                   => literal()
    case '_' if in.peek(1) == ':'     => blankNode()
    case '+' | '-' if isUnsignedAt(1) => number()
    case c if TurtleNames.isDigit(c)  => number()
    case '.' if TurtleNames.isDigit(in.peek(1)) => number()
    case _                                      => named(expected)
  }

  /** Reads the text in `<>` as an IRI, even if it begins with `_:`. */
  def iri(): String = {
    val start = in.place
    enclosed.skipBrackets()
    enclosed.inBrackets(start, 0)
  }

  /** Reads a prefixed name.
    *
    * @return
    *   its IRI; null, with the position unchanged, if there is no prefixed name
    */
  def prefixedName(): Iri = {
    val start = in.place
    if (names.skipPrefix()) prefixed(start)
    else {
      in.pos = in.index(start)
      null
    }
  }

  /** Reads an IRI or a blank node in `<>`. */
  private def bracketed(): Term = {
    val start = in.place
    enclosed.skipBrackets()
    val at = in.index(start)
    val length = in.pos - at
    val before = if (makesTerms) known.find(in.buffer, at, length) else null
    if (before != null) before
    else {
      val isLabel = in.buffer(at + 1) == '_' && in.buffer(at + 2) == ':'
      val text = enclosed.inBrackets(start, if (isLabel) 2 else 0)
      if (makesTerms) {
        val made = if (isLabel) BlankNode(text) else Iri(text)
        known.put(in.buffer, at, length, made, made.sizeBound)
        made
      } else null
    }
  }

  private def blankNode(): Term = {
    in.pos += 2
    val start = in.place
    if (!names.skipLabel()) in.failChar("a blank node label")
    if (makesTerms) BlankNode(names.text(start)) else null
  }

  private def triple(depth: Int): Term = {
    if (depth == TripleTerm.MaxDepth) {
      in.failToken(s"triple terms nested at most ${TripleTerm.MaxDepth} deep")
    }
    in.pos += 2
    val hasParentheses = in.peek == '('
    if (hasParentheses) in.pos += 1
    val subject = innerTerm(depth + 1)
    val predicate = innerTerm(depth + 1)
    val obj = innerTerm(depth + 1)
    in.skipBlank()
    val end = if (hasParentheses) ")>>" else ">>"
    if (!in.isNext(end)) in.failToken(s"'$end'")
    in.pos += end.length
    if (makesTerms) TripleTerm(subject, predicate, obj) else null
  }

  private def innerTerm(depth: Int): Term = {
    in.skipBlank()
    val read = term(AnyTerm, depth)
    if (makesTerms && !read.isInstanceOf[TripleTerm]) tripleSize.add(read.size)
    read
  }

  private def literal(): Term = {
    val lex = enclosed.string()
    in.skipBlank()
    in.peek match {
      case '@' =>
        val tag = languageTag()
        if (makesTerms) Literal.tagged(lex, tag) else null
      case '^' =>
        if (in.peek(1) != '^') in.failToken("'^^'")
        in.pos += 2
        in.skipBlank()
        val iri = datatype()
        if (makesTerms) Literal.typed(lex, iri) else null
      case _ => if (makesTerms) Literal.simple(lex) else null
    }
  }

  /** Reads a language tag (LANGTAG), from its `@` on, with or without a base direction as in RDF
    * 1.2.
    */
  private def languageTag(): String = {
    in.pos += 1
    val start = in.place
    names.skipLanguageTag()
    if (makesTerms && !names.isText(start, lastTag)) lastTag = names.text(start)
    lastTag
  }

  private def datatype(): String =
    if (makesTerms && lastDatatype.isNext(in)) {
      in.pos += lastDatatype.length
      lastDatatype.term.asInstanceOf[Iri].value
    } else if (in.peek == '<') {
      val start = in.place
      val value = iri()
      if (makesTerms) lastDatatype.set(in, start, Iri(value))
      value
    } else {
      val name = prefixedName()
      if (name == null) in.failToken("the IRI of a datatype")
      name.value
    }

  /** Reads a number in any of Turtle's forms. */
  private def number(): Term = {
    val start = in.place
    if (isSign(in.peek)) in.pos += 1
    val hasDigits = names.skip(TurtleNames.Digit)
    var datatype = UnquotedLiterals.XsdInteger
    if (in.peek == '.') {
      if (TurtleNames.isDigit(in.peek(1))) {
        in.pos += 1
        names.skip(TurtleNames.Digit)
        datatype = UnquotedLiterals.XsdDecimal
      } else if (hasDigits && isExponent(in.peek(1))) in.pos += 1
    }
    if (isExponent(in.peek)) {
      in.pos += 1
      if (isSign(in.peek)) in.pos += 1
      if (!names.skip(TurtleNames.Digit)) in.failChar("the digits of an exponent")
      datatype = UnquotedLiterals.XsdDouble
    }
    if (in.peek == ':' || in.peek == '+' || names.isPart) in.failToken("the end of the number")
    if (makesTerms) Literal.typed(names.text(start), datatype) else null
  }

  /** Whether an unsigned number begins `ahead` bytes after the current position. */
  private def isUnsignedAt(ahead: Int): Boolean = {
    val c = in.peek(ahead)
    TurtleNames.isDigit(c) || (c == '.' && TurtleNames.isDigit(in.peek(ahead + 1)))
  }

  /** Reads a boolean or a prefixed name. */
  private def named(expected: String): Term = {
    val start = in.place
    if (names.skipPrefix()) prefixed(start)
    else if (names.isText(start, "true")) UnquotedLiterals.True
    else if (names.isText(start, "false")) UnquotedLiterals.False
    else {
      in.pos = in.index(start)
      in.failToken(expected)
    }
  }

  /** Reads the rest of a prefixed name, from its colon on. The prefix begins at `start`. */
  private def prefixed(start: Int): Iri = {
    val prefix = names.text(start)
    in.pos += 1
    val local = in.place
    val isEscaped = names.skipLocalName()
    val at = in.index(start)
    val before = known.find(in.buffer, at, in.pos - at)
    if (before != null) before.asInstanceOf[Iri]
    else {
      val namespace = prefixes.get(prefix)
      if (namespace == null) malformed("a declared prefix", quoted(s"$prefix:"))
      val name = names.text(local)
      rowLimit.check(namespace.length.toLong + name.length)
      val made = Iri(namespace + (if (isEscaped) name.replace("\\", "") else name))
      known.put(in.buffer, at, in.pos - at, made, made.sizeBound)
      made
    }
  }
}

private[rdfpatch] object TermParser {

  /** How many times longer than its bytes the text of a term can be, if there are no prefixes: `1 `
    * is an xsd:integer.
    */
  final val MaxGrowth = 32

  private val AnyTerm = "an RDF term"

  private def isSign(c: Int): Boolean = c == '+' || c == '-'

  private def isExponent(c: Int): Boolean = c == 'e' || c == 'E'
}
