package org.jellyspark.text

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.rows.RowRules
import org.jellyspark.core.terms._

/** Writes the terms of RDF statements as canonical N-Triples. Refuses terms that are not allowed in
  * a statement, or that could not be read back.
  */
private[jellyspark] class StatementTermWriter(out: TextOutput) {

  final def subject(cell: TermCell): Unit =
    if (!isPut(cell, resourceTest)) putSubject(cell.term, 0)

  final def predicate(cell: TermCell): Unit =
    if (!isPut(cell, CanonicalTerms.IriTest)) putPredicate(cell.term)

  final def obj(cell: TermCell): Unit = if (!isPut(cell, anyTest)) putObject(cell.term, 0)

  /** Writes a term that may be an object. */
  final def obj(term: Term): Unit = putObject(term, 0)

  final def graph(cell: TermCell): Unit = if (!isPut(cell, resourceTest)) putGraph(cell.term)

  /** Recognizes IRIs and blank nodes that can be written unchanged. */
  protected def resourceTest: CanonicalTerms.Test = CanonicalTerms.ResourceTest

  /** Recognizes terms that can be written unchanged. */
  protected def anyTest: CanonicalTerms.Test = CanonicalTerms.AnyTest

  /** Writes the text of a cell if it can be written unchanged.
    *
    * @return
    *   whether it was written
    */
  private def isPut(cell: TermCell, test: CanonicalTerms.Test): Boolean = {
    val text = cell.bytes
    out.putTerm(text, cell.from, cell.length, test)
  }

  private def putSubject(term: Term, depth: Int): Unit = term match {
    case iri: Iri           => putIri(iri)
    case node: BlankNode    => putBlankNode(node)
    case triple: TripleTerm =>
      checkTripleAsSubject()
      putTriple(triple, depth)
    case _ => refuse("a subject must be an IRI, a blank node or a triple term")
  }

  private def putPredicate(term: Term): Unit = term match {
    case iri: Iri => putIri(iri)
    case _        => refuse("a predicate must be an IRI")
  }

  private def putObject(term: Term, depth: Int): Unit = term match {
    case literal: Literal =>
      if (literal.lang != null) checkLanguageTag(literal.lang)
      if (literal.datatype != null) checkIri(literal.datatype)
      putLiteral(literal)
    case triple: TripleTerm => putTriple(triple, depth)
    case DefaultGraph       => refuse(RowRules.DefaultGraphRule)
    case _                  => putSubject(term, depth)
  }

  private def putGraph(term: Term): Unit = term match {
    case iri: Iri        => putIri(iri)
    case node: BlankNode => putBlankNode(node)
    case _               => refuse("a graph must be an IRI or a blank node")
  }

  private def putIri(iri: Iri): Unit = {
    checkIri(iri.value)
    out.put(iri.utf8)
  }

  protected def putLiteral(literal: Literal): Unit = out.put(literal.utf8)

  protected def putBlankNode(node: BlankNode): Unit = {
    if (!NTriplesChars.isBlankNodeLabel(node.label))
      refuse("a blank node label must follow N-Triples' grammar")
    out.put(node.utf8)
  }

  /** Refuses a triple term as a subject if the syntax does not allow it there. */
  protected def checkTripleAsSubject(): Unit = ()

  private def putTriple(triple: TripleTerm, depth: Int): Unit = {
    if (depth == TripleTerm.MaxDepth) refuse(RowRules.DepthRule)
    out.put("<<( ")
    putSubject(triple.subject, depth + 1)
    out.put(' ')
    putPredicate(triple.predicate)
    out.put(' ')
    putObject(triple.obj, depth + 1)
    out.put(" )>>")
  }

  /** Checks the IRI of a term or a datatype. */
  protected def checkIri(iri: String): Unit =
    if (!TurtleNames.isAbsolute(iri)) refuse("an IRI must be absolute")

  protected def checkLanguageTag(tag: String): Unit =
    if (!TurtleNames.isLanguageTag(tag))
      refuse("a language tag must follow N-Triples' grammar, as en or de-CH do")
}
