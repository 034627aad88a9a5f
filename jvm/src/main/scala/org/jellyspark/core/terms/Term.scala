package org.jellyspark.core.terms

import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.errors.MalformedRowException.malformed
import org.jellyspark.core.terms.NTriplesSize.MaxPerUnit

/** An RDF term, or the default graph. Immutable, and equal by content. */
sealed abstract class Term {
  // A cache, filled on first use. Racing threads compute the same bytes, and see them completely
  // initialized, because they are in a final field (Java Language Specification, 17.5).
  private[this] var text: Term.Text = _

  /** The term in canonical N-Triples syntax, as UTF-8. Computed only once; callers must not change
    * the array.
    *
    * @throws java.lang.IllegalArgumentException
    *   if the term is the default graph, which has no text
    */
  final def utf8: Array[Byte] = {
    var made = text
    if (made == null) {
      made = new Term.Text(nTriples.getBytes(UTF_8))
      text = made
    }
    made.utf8
  }

  /** Like [[utf8]], but as a new string. */
  private[terms] final def nTriples: String = {
    // Long texts get their exact size, because a growing builder would need several times the
    // memory.
    val capacity = if (sizeBound <= Term.LongText) 64 else size.toInt
    val out = new java.lang.StringBuilder(capacity)
    appendTo(out)
    out.toString
  }

  /** The length of [[utf8]] in bytes, computed without creating it; 0 for the default graph. */
  private[jellyspark] def size: Long = {
    val size = new NTriplesSize
    appendTo(size)
    size.bytes
  }

  /** An upper bound of [[size]], computed from the lengths of the components alone. */
  private[jellyspark] def sizeBound: Long

  private[terms] def appendTo(out: Appendable): Unit
}

private object Term {
  private final val LongText = 1L << 20

  private final class Text(val utf8: Array[Byte])
}

/** An IRI, without angle brackets and escapes. */
final case class Iri(value: String) extends Term {
  private[jellyspark] override def sizeBound: Long = 2 + MaxPerUnit * value.length

  private[terms] override def appendTo(out: Appendable): Unit =
    NTriplesPrinter.appendIri(value, out)
}

/** A blank node. Its label is that of the file and is never renamed, because patches refer to it.
  */
final case class BlankNode(label: String) extends Term {
  private[jellyspark] override def sizeBound: Long = 4 + MaxPerUnit * label.length

  private[terms] override def appendTo(out: Appendable): Unit =
    NTriplesPrinter.appendBlankNode(label, out)
}

/** A literal. `lang` and `datatype` are null if it has none, and at most one of them is set. If
  * neither is set, the datatype is xsd:string. A base direction is a part of the language tag:
  * `ar--rtl`.
  */
final case class Literal(lex: String, lang: String, datatype: String) extends Term {
  private[jellyspark] override def sizeBound: Long =
    2 + 3L * lex.length + (if (lang == null) 0 else 1 + MaxPerUnit * lang.length) +
      (if (datatype == null) 0 else 4 + MaxPerUnit * datatype.length)

  private[terms] override def appendTo(out: Appendable): Unit =
    NTriplesPrinter.appendLiteral(lex, lang, datatype, out)
}

/** A triple term. */
final case class TripleTerm(subject: Term, predicate: Term, obj: Term) extends Term {
  private[jellyspark] override def sizeBound: Long =
    NTriplesSize.AroundTriple + subject.sizeBound + predicate.sizeBound + obj.sizeBound

  private[terms] override def appendTo(out: Appendable): Unit = {
    out.append("<<( ")
    subject.appendTo(out)
    out.append(' ')
    predicate.appendTo(out)
    out.append(' ')
    obj.appendTo(out)
    out.append(" )>>")
    ()
  }
}

/** The default graph, where a graph is expected. It has no text. */
case object DefaultGraph extends Term {
  private[jellyspark] override def size: Long = 0

  private[jellyspark] override def sizeBound: Long = 0

  private[terms] override def appendTo(out: Appendable): Unit =
    throw new IllegalArgumentException("the default graph has no N-Triples syntax")
}

object Literal {
  val XsdString = "http://www.w3.org/2001/XMLSchema#string"
  val RdfLangString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
  val RdfDirLangString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString"

  /** Creates a literal with the datatype xsd:string. */
  def simple(lex: String): Literal = Literal(lex, null, null)

  /** Creates a literal with a language tag, whose base direction must be allowed. An empty tag
    * counts as no tag, as in Jelly-JVM.
    */
  def tagged(lex: String, lang: String): Literal =
    Literal(lex, if (lang.isEmpty) null else lang, null)

  /** Creates a literal with a datatype. A literal with xsd:string is the same term as a simple
    * literal (RDF 1.2 Concepts, section 3.4).
    */
  def typed(lex: String, datatype: String): Literal =
    Literal(lex, null, if (datatype == XsdString) null else datatype)

  /** The datatype of literals with a language tag. */
  def datatypeOf(tag: String): String =
    if (BaseDirection.isIn(tag)) RdfDirLangString else RdfLangString
}

object TripleTerm {

  /** The deepest nesting of triple terms that is allowed. Jelly-JVM has the same limit. */
  val MaxDepth = 63

  /** Throws an error about triple terms that are nested deeper than [[MaxDepth]]. */
  private[jellyspark] def tooDeep(): Nothing =
    malformed(s"triple terms nested at most $MaxDepth deep", "deeper nesting")

  /** Throws an error if a term of a triple term is missing in the input.
    *
    * @param term
    *   the term; null if it is missing
    * @param what
    *   `subject`, `predicate` or `object`
    */
  private[jellyspark] def checkPresent(term: AnyRef, what: String): Unit =
    if (term == null) malformed("all terms of a triple term", s"no $what")
}
