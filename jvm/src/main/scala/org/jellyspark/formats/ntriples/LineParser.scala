package org.jellyspark.formats.ntriples

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.rows.{Row, RowOp, RowSize}
import org.jellyspark.core.terms._
import org.jellyspark.text.{DelimitedTextReader, NameScanner, Rdf12Literals, TextInput, TurtleNames}

/** Parses lines by the grammar of N-Triples and N-Quads (RDF 1.2), extended with the triple terms
  * of RDF-star: `<< s p o >>`, and triple terms as subjects.
  *
  * @param hasGraphs
  *   whether a statement may have a graph
  * @param strict
  *   whether to reject these extensions, IRIs and literals that RDF 1.2 forbids, and unknown
  *   versions
  */
private[ntriples] final class LineParser(hasGraphs: Boolean, strict: Boolean, rowLimit: RowLimit) {
  import LineParser._

  private[this] val in = TextInput.ofRows(rowLimit)
  private[this] val names = new NameScanner(in)
  private[this] val enclosed = new DelimitedTextReader(in)
  private[this] val tripleSize = new TripleTermSize(rowLimit)
  private[this] var messageCount = 0L

  /** The number of lines `MESSAGE` so far. */
  def messages: Long = messageCount

  /** Parses the row that begins at `from`.
    *
    * @param to
    *   the index after the end of the line or of the input
    * @param row
    *   receives the statement
    * @param isMessages
    *   whether the file is a stream of messages
    * @return
    *   whether the row is a statement; otherwise it announces a version or ends a message
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if the row is malformed
    */
  def parse(bytes: Array[Byte], from: Int, to: Int, row: Row, isMessages: Boolean): Boolean = {
    in.load(bytes, from, to)
    val isMessage = in.peek == 'M' && in.isNext(Message)
    val isStatement = !isMessage && (in.peek != 'V' || !in.isNext(Version))
    if (isStatement) statement(row)
    else if (!isMessage) version()
    else if (isMessages) in.pos += Message.length
    else in.failToken(ExpectedMessages)
    endLine()
    if (isMessage) messageCount += 1
    isStatement
  }

  private def endLine(): Unit = {
    in.skipSpaces()
    in.peek match {
      case '#' | '\n' | '\r' | TextInput.End =>
      case _                                 => in.failToken("the end of the line")
    }
  }

  private def version(): Unit = {
    in.pos += Version.length
    in.skipSpaces()
    if (in.peek != '"') in.failToken("a version in double quotes")
    val start = in.place
    if (!LineVersion.isKnown(enclosed.shortString()) && strict) failAt(start, LineVersion.Expected)
  }

  private def statement(row: Row): Unit = {
    tripleSize.startRow()
    row.clear()
    row.op = RowOp.Add
    row.subject = subject(0)
    row.predicate = predicate()
    row.obj = obj(0)
    in.skipSpaces()
    if (hasGraphs && in.peek != '.') row.graph = resource(GraphOrDot)
    in.skipSpaces()
    if (in.peek != '.') in.failToken("'.'")
    in.pos += 1
    RowSize.check(row, in.place.toLong, rowLimit)
  }

  private def subject(depth: Int): Term = {
    in.skipSpaces()
    if (isTriple && !strict) triple(depth) else resource(Resource)
  }

  private def predicate(): Term = {
    in.skipSpaces()
    if (in.peek == '<' && in.peek(1) != '<') Iri(iri()) else in.failToken("an IRI")
  }

  private def obj(depth: Int): Term = {
    in.skipSpaces()
    in.peek match {
      case '"'           => literal()
      case _ if isTriple => triple(depth)
      case _             => resource("an RDF term")
    }
  }

  private def resource(expected: String): Term = in.peek match {
    case '<' if in.peek(1) != '<' => Iri(iri())
    case '_' if in.peek(1) == ':' => blankNode()
    case _                        => in.failToken(expected)
  }

  private def isTriple: Boolean =
    in.peek == '<' && in.peek(1) == '<' && (!strict || in.peek(2) == '(')

  /** Reads an absolute IRI. */
  private def iri(): String = {
    val start = in.place
    enclosed.skipStrictIri()
    val iri = enclosed.inBrackets(start, 0)
    if (!TurtleNames.isAbsolute(iri)) failAt(start, "an absolute IRI")
    if (strict && !IriSyntax.isIri(iri)) failAt(start, "an IRI of RFC 3987")
    iri
  }

  /** Reports the token that begins at `start`, a place in the row. */
  private def failAt(start: Int, expected: String): Nothing = {
    in.pos = in.index(start)
    in.failToken(expected)
  }

  private def blankNode(): Term = {
    in.pos += 2
    val start = in.place
    if (!names.skipStrictLabel()) in.failChar("a blank node label")
    BlankNode(names.text(start))
  }

  private def literal(): Term = {
    val lex = enclosed.shortString()
    val end = in.place
    in.skipSpaces()
    in.peek match {
      case '@' =>
        in.pos += 1
        val start = in.place
        names.skipLanguageTag()
        val tag = names.text(start)
        if (strict && !Rdf12Literals.isTag(tag)) failAt(start, ShortSubtags)
        Literal.tagged(lex, tag)
      case '^' =>
        if (in.peek(1) != '^') in.failToken("'^^'")
        in.pos += 2
        in.skipSpaces()
        if (in.peek != '<' || in.peek(1) == '<') in.failToken("the IRI of a datatype")
        val start = in.place
        val datatype = iri()
        if (strict && !Rdf12Literals.isDatatype(datatype)) failAt(start, OtherDatatype)
        Literal.typed(lex, datatype)
      case _ =>
        in.pos = in.index(end)
        Literal.simple(lex)
    }
  }

  private def triple(depth: Int): Term = {
    if (depth == TripleTerm.MaxDepth) {
      in.failToken(s"triple terms nested at most ${TripleTerm.MaxDepth} deep")
    }
    in.pos += 2
    val hasParentheses = in.peek == '('
    if (hasParentheses) in.pos += 1
    val subject = counted(this.subject(depth + 1))
    val predicate = counted(this.predicate())
    val obj = counted(this.obj(depth + 1))
    in.skipSpaces()
    val end = if (hasParentheses) ")>>" else ">>"
    if (!in.isNext(end)) in.failToken(s"'$end'")
    in.pos += end.length
    TripleTerm(subject, predicate, obj)
  }

  /** Adds the size of a triple term's term to the size of the row. */
  private def counted(term: Term): Term = {
    if (!term.isInstanceOf[TripleTerm]) tripleSize.add(term.size)
    term
  }
}

private object LineParser {
  private val Version = "VERSION"
  private val Message = "MESSAGE"
  private val ExpectedMessages =
    s"VERSION \"${LineVersion.Messages.name}\" before the first statement"
  private val ShortSubtags = "a language tag with subtags of at most 8 characters"
  private val OtherDatatype = "a datatype other than rdf:langString and rdf:dirLangString"
  private val Resource = "an IRI or a blank node"
  private val GraphOrDot = "a graph (an IRI or a blank node) or '.'"
}
