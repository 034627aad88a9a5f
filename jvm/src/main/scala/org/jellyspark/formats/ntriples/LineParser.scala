package org.jellyspark.formats.ntriples

import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.rows.{Row, RowOp, RowSize}
import org.jellyspark.core.terms._
import org.jellyspark.text.{DelimitedTextReader, NameScanner, TextInput, TurtleNames}

/** Parses lines by the grammar of N-Triples and N-Quads (RDF 1.1), extended with the triple terms
  * of RDF-star and RDF 1.2, and with the base directions of RDF 1.2.
  *
  * @param hasGraphs
  *   whether a statement may have a graph
  * @param strict
  *   whether these extensions are errors
  */
private[ntriples] final class LineParser(hasGraphs: Boolean, strict: Boolean, rowLimit: RowLimit) {
  import LineParser._

  private[this] val in = TextInput.ofRows(rowLimit)
  private[this] val names = new NameScanner(in)
  private[this] val enclosed = new DelimitedTextReader(in)
  private[this] val tripleSize = new TripleTermSize(rowLimit)

  /** Parses the row that begins at `from`.
    *
    * @param to
    *   the index after the end of the line or of the input
    * @param row
    *   receives the statement
    * @throws org.jellyspark.core.errors.MalformedRowException
    *   if the row is malformed
    */
  def parse(bytes: Array[Byte], from: Int, to: Int, row: Row): Unit = {
    in.load(bytes, from, to)
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
    in.skipSpaces()
    in.peek match {
      case '#' | '\n' | '\r' | TextInput.End =>
      case _                                 => in.failToken("the end of the line")
    }
  }

  private def subject(depth: Int): Term = {
    in.skipSpaces()
    if (isTriple) triple(depth) else resource(Resource)
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

  private def isTriple: Boolean = !strict && in.peek == '<' && in.peek(1) == '<'

  /** Reads an absolute IRI. */
  private def iri(): String = {
    val start = in.place
    enclosed.skipStrictIri()
    val iri = enclosed.inBrackets(start, 0)
    if (!TurtleNames.isAbsolute(iri)) {
      in.pos = in.index(start)
      in.failToken("an absolute IRI")
    }
    iri
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
        names.skipLanguageTag(mayHaveDirection = !strict)
        Literal.tagged(lex, names.text(start))
      case '^' =>
        if (in.peek(1) != '^') in.failToken("'^^'")
        in.pos += 2
        in.skipSpaces()
        if (in.peek != '<' || in.peek(1) == '<') in.failToken("the IRI of a datatype")
        Literal.typed(lex, iri())
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
  private val Resource = "an IRI or a blank node"
  private val GraphOrDot = "a graph (an IRI or a blank node) or '.'"
}
