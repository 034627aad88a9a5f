package org.jellyspark.formats.rdfpatch

import org.jellyspark.core.errors.RefusedException.refuse
import org.jellyspark.core.formats.RowEncoder
import org.jellyspark.core.rows.{Row, RowRules}
import org.jellyspark.core.terms.{BlankNode, DefaultGraph, Iri, Literal, TripleTerm, Term}
import org.jellyspark.text.{Escapes, TextOutput, TurtleNames}

/** Writes rows as text. This class writes the terms, which are the same in all styles. It refuses
  * terms that could not be read back.
  */
private[rdfpatch] abstract class TextEncoder(
    out: TextOutput,
    escapesInIris: Escapes,
    escapesInLabels: Escapes
) extends RowEncoder {
  import TextEncoder._

  final override def write(row: Row): Unit = {
    putRow(row)
    out.put(".\n")
    out.endRow()
  }

  final override def finish(): Unit = out.flush()

  /** Writes a row without its dot. Each item is followed by a space. */
  protected def putRow(row: Row): Unit

  protected final def putTerm(term: Term): Unit = {
    putTerm(term, 0)
    out.put(' ')
  }

  private def putTerm(term: Term, depth: Int): Unit = term match {
    case Iri(value) =>
      // Jena reads it as a blank node even if the `_` is escaped.
      if (value.startsWith("_:"))
        refuse("an IRI must not begin with '_:', which RDF Patch reads as a blank node")
      putIri(value)
    case literal: Literal => putLiteral(literal)
    case BlankNode(label) =>
      out.put("<_:")
      out.put(label, escapesInLabels, Holder)
      out.put('>')
    case triple: TripleTerm =>
      if (depth == TripleTerm.MaxDepth) refuse(RowRules.DepthRule)
      checkTriple()
      out.put("<<( ")
      putTerm(triple.subject, depth + 1)
      out.put(' ')
      putTerm(triple.predicate, depth + 1)
      out.put(' ')
      putTerm(triple.obj, depth + 1)
      out.put(" )>>")
    case DefaultGraph => refuse(RowRules.DefaultGraphRule)
  }

  private def putLiteral(literal: Literal): Unit = literal match {
    case Literal(lex, null, null) => putString(lex, Holder)
    case Literal(lex, null, datatype) if UnquotedLiterals.isShort(lex, datatype) => out.put(lex)
    case Literal(lex, null, datatype)                                            =>
      putString(lex, Holder)
      out.put("^^")
      putIri(datatype)
    case Literal(lex, tag, _) =>
      if (!TurtleNames.isLanguageTag(tag))
        refuse("a language tag must follow Turtle's grammar, as en or de-CH do")
      putString(lex, Holder)
      out.put('@')
      out.put(tag)
  }

  protected final def putString(text: String, what: String): Unit = {
    out.put('"')
    out.put(text, Escapes.Strings, what)
    out.put('"')
  }

  /** Writes the IRI of a term or a datatype. */
  protected def putIri(iri: String): Unit = putBracketed(iri)

  protected final def putBracketed(iri: String): Unit = {
    out.put('<')
    out.put(iri, escapesInIris, Holder)
    out.put('>')
  }

  /** Refuses a triple term if the style does not support them. */
  protected def checkTriple(): Unit = ()
}

private object TextEncoder {
  private val Holder = "a term"
}
