package org.jellyspark.formats.rdfpatch

import java.io.ByteArrayInputStream

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.core.errors.RowLimit
import org.jellyspark.core.formats.StatementRanges
import org.jellyspark.core.rows.{Row, RowOp, RowSize}
import org.jellyspark.core.terms.{Iri, JenaDefaultGraph, Term}
import org.jellyspark.text.{DelimitedTextReader, NameScanner, TextInput, TurtleNames}

/** Parses the rows of RDF Patch: the current syntax, and from the first version prefix declarations
  * and `R`, which repeats the last term in its position.
  *
  * For a malformed row, it throws a [[org.jellyspark.core.errors.MalformedRowException]].
  */
private[rdfpatch] final class RowParser(
    in: TextInput,
    strict: Boolean,
    rowLimit: RowLimit
) {
  import RowParser._

  private[this] val names = new NameScanner(in)
  private[this] val enclosed = new DelimitedTextReader(in)
  private[this] val terms = new TermParser(in, rowLimit)
  // The longest row whose terms cannot be too long as text, unless it depends on other rows.
  private[this] val shortRow = rowLimit.bytes / TermParser.MaxGrowth
  private[this] val lastSubject = new PreviousTerm
  private[this] val lastPredicate = new PreviousTerm
  private[this] val lastObject = new PreviousTerm
  private[this] val lastGraph = new PreviousTerm
  private[this] val lastTokens = List(lastSubject, lastPredicate, lastObject, lastGraph)
  private[this] var isStateful = false

  /** Whether the last row is a single line that does not depend on earlier rows, does not affect
    * later ones, and cannot be too long as text.
    */
  def isPlain: Boolean = !isStateful && in.line == in.rowLine && in.place <= shortRow

  /** Parses the row that begins at the input's position, and moves past it.
    *
    * @param row
    *   receives the content of the row
    * @param makesTerms
    *   whether to set the terms and texts of `row`; if false, they are only checked
    * @return
    *   whether it is a row of the patch; false for a prefix declaration
    */
  def parse(row: Row, makesTerms: Boolean): Boolean = {
    terms.makesTerms = makesTerms
    enclosed.isMade = makesTerms
    isStateful = false
    row.clear()
    terms.startRow()
    val isRow = in.peek != '@'
    if (isRow) parseRow(row) else declarePrefix()
    if (makesTerms && (isStateful || in.place > shortRow || terms.hasPrefixes)) {
      RowSize.check(row, in.place.toLong, rowLimit)
    }
    isRow
  }

  /** Whether a row in canonical N-Triples that is this long, in bytes, cannot be too long as text.
    */
  def isShort(length: Int): Boolean = length <= shortRow

  /** Stores the terms of a row that was read without this parser, because `R` may repeat them.
    *
    * @param bytes
    *   the array that holds them
    */
  def setLast(bytes: Array[Byte], at: StatementRanges): Unit = {
    lastSubject.set(bytes, at.subjectFrom, at.subjectEnd, null)
    lastPredicate.set(bytes, at.predicateFrom, at.predicateEnd, null)
    lastObject.set(bytes, at.objectFrom, at.objectEnd, null)
    if (at.hasGraph) lastGraph.set(bytes, at.graphFrom, at.graphEnd, null)
  }

  /** Resets everything that a malformed row may have changed.
    *
    * @param text
    *   the text of the row
    */
  def forget(text: String): Unit = {
    lastTokens.foreach(_.forget())
    if (text.startsWith("@")) terms.forgetPrefixes()
  }

  private def parseRow(row: Row): Unit = {
    row.op = code()
    row.op match {
      case RowOp.Add | RowOp.Delete =>
        row.subject = item(lastSubject, "a subject")
        row.predicate = item(lastPredicate, "a predicate")
        row.obj = item(lastObject, "an object")
        if (!endsHere) {
          row.graph = JenaDefaultGraph.resolve(item(lastGraph, "a graph", GraphOrEnd))
        }
      case RowOp.Header =>
        row.name = name("a header key: a word or a string")
        in.skipBlank()
        row.value = terms.term(AnyTerm)
        if (endsWithoutDot) return
      case RowOp.PrefixAdd =>
        row.name = name(PrefixName)
        row.value = namespace()
        prefixGraph(row)
      case RowOp.PrefixDelete =>
        row.name = name(PrefixName)
        prefixGraph(row)
      case _ =>
    }
    end()
  }

  private def code(): RowOp = {
    val start = in.place
    val isWord = names.skipWord() && in.peek != ':'
    val op = if (isWord) codeOf(start) else null
    if (op == null) {
      in.pos = in.index(start)
      in.failToken(Code)
    }
    op
  }

  private def codeOf(start: Int): RowOp = {
    val first = in.buffer(in.index(start))
    in.place - start match {
      case 1 =>
        first match {
          case 'A' => RowOp.Add
          case 'D' => RowOp.Delete
          case 'H' => RowOp.Header
          case 'Z' => RowOp.End
          case _   => null
        }
      case 2 =>
        val second = in.buffer(in.index(start) + 1)
        first match {
          case 'T' if second == 'X' || second == 'B' => RowOp.TransactionStart
          case 'T' if second == 'C'                  => RowOp.TransactionCommit
          case 'T' if second == 'A'                  => RowOp.TransactionAbort
          case 'P' if second == 'A'                  => RowOp.PrefixAdd
          case 'P' if second == 'D'                  => RowOp.PrefixDelete
          case _                                     => null
        }
      case _ => null
    }
  }

  private def end(): Unit = {
    in.skipBlank()
    if (in.peek != '.') in.failToken("'.'")
    in.pos += 1
  }

  /** Whether a header ends with its line, without a dot. The position stays in that line. */
  private def endsWithoutDot: Boolean = {
    val end = in.place
    val line = in.line
    in.skipBlank()
    val isMissing = in.peek != '.' && (in.peek == TextInput.End || in.beginsLine)
    if (isMissing && strict) malformed(HeaderDot, "the end of the line")
    if (isMissing) {
      in.pos = in.index(end)
      in.line = line
    }
    isMissing
  }

  /** Whether the row ends here without a graph. A dot before a digit begins a number. */
  private def endsHere: Boolean = {
    in.skipBlank()
    if (in.peek == '<' && in.peek(1) == '<') in.failToken("a graph that is not a triple term")
    in.peek == '.' && !TurtleNames.isDigit(in.peek(1))
  }

  private def prefixGraph(row: Row): Unit =
    if (!endsHere) row.graph = JenaDefaultGraph.resolve(terms.term(GraphOrEnd))

  /** Reads a term or `R`. */
  private def item(last: PreviousTerm, position: String, expected: String = AnyTerm): Term = {
    in.skipBlank()
    if (last.isNext(in) && (last.term != null || !terms.makesTerms)) {
      in.pos += last.length
      last.term
    } else {
      val start = in.place
      if (in.peek == 'R' && isRepeat(start)) repeat(last, position)
      else {
        val term = terms.term(expected)
        last.set(in, start, term)
        term
      }
    }
  }

  /** Moves past the word `R`.
    *
    * @return
    *   whether it was there
    */
  private def isRepeat(start: Int): Boolean = {
    names.skipWord()
    val isRepeat = names.isText(start, "R") && in.peek != ':'
    if (!isRepeat) in.pos = in.index(start)
    isRepeat
  }

  private def repeat(last: PreviousTerm, position: String): Term = {
    isStateful = true
    if (last.term == null && terms.makesTerms && last.length > 0) last.term = termOf(last.copy)
    if (last.term == null && last.length == 0)
      malformed(
        s"$position before R",
        s"no earlier ${position.substring(position.indexOf(' ') + 1)}"
      )
    last.term
  }

  /** Returns the term of a token that has already been checked. */
  private def termOf(token: Array[Byte]): Term = {
    val text = new TextInput(new ByteArrayInputStream(token), rowLimit)
    text.beginRow()
    new TermParser(text, rowLimit).term(AnyTerm)
  }

  private def name(expected: String): String = {
    in.skipBlank()
    if (enclosed.isString) enclosed.string()
    else {
      val start = in.place
      if (!names.skipWord() || in.peek == ':') {
        in.pos = in.index(start)
        in.failToken(expected)
      }
      names.text(start)
    }
  }

  private def namespace(): Iri = {
    in.skipBlank()
    if (enclosed.isString) Iri(enclosed.string())
    else if (in.peek == '<') Iri(terms.iri())
    else {
      val name = terms.prefixedName()
      if (name == null) in.failToken("a namespace: an IRI or a string")
      name
    }
  }

  private def declarePrefix(): Unit = {
    isStateful = true
    terms.makesTerms = true
    skipDirective()
    in.skipBlank()
    val start = in.place
    if (!names.skipPrefix()) {
      in.pos = in.index(start)
      in.failToken("a prefix name and ':'")
    }
    val prefix = names.text(start)
    in.pos += 1
    in.skipBlank()
    val namespaceAt = in.place
    val namespace = if (in.peek == '<') terms.iri() else ""
    if (!TurtleNames.isAbsolute(namespace)) {
      in.pos = in.index(namespaceAt)
      in.failToken("an absolute IRI")
    }
    end()
    terms.declare(prefix, namespace)
  }

  private def skipDirective(): Unit = {
    val start = in.place
    val isDirective = in.isNext(Directive) && {
      in.pos += Directive.length
      !names.isPart
    }
    if (!isDirective) {
      in.pos = in.index(start)
      in.failToken(Code)
    }
  }
}

private object RowParser {
  // What is expected where the line of a header ends, if reading is strict.
  private val HeaderDot = "'.' (rdflib 7.6 leaves it out after H prev)"
  private val AnyTerm = "an RDF term"
  private val GraphOrEnd = "a graph or '.'"
  private val PrefixName = "a prefix name: a word or a string"
  private val Code = "a row code: H, TX, TC, TA, PA, PD, A, D or Z"
  private val Directive = "@prefix"
}
