package org.jellyspark.core.terms

import java.nio.charset.StandardCharsets.UTF_8

import org.jellyspark.core.errors.MalformedRowException.malformed

/** An RDF term, or the default graph. Immutable, and equal by content. */
sealed abstract class Term {
  // A cache, made when it is first asked for. Threads that race make the same bytes. They see them
  // as a whole, because they are in a final field (Java Language Specification, 17.5).
  private[this] var text: Term.Text = _

  /** The term in canonical N-Triples syntax, UTF-8. Made once; callers must not change the array.
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

  /** As [[utf8]], but a string, made anew. */
  private[terms] final def nTriples: String = {
    // The exact size where a builder that grows would need several times the memory.
    val capacity = if (sizeBound <= Term.LongText) 64 else size.toInt
    val out = new java.lang.StringBuilder(capacity)
    appendTo(out)
    out.toString
  }

  /** The number of bytes of [[utf8]], counted without making it; 0 for the default graph. */
  private[jellyspark] def size: Long

  /** A number that [[size]] is not above, which takes less time. */
  private[jellyspark] def sizeBound: Long

  private[terms] def appendTo(out: java.lang.StringBuilder): Unit
}

private object Term {
  private final val LongText = 1L << 20

  private final class Text(val utf8: Array[Byte])
}

/** An IRI, without brackets or escapes. */
final case class Iri(value: String) extends Term {
  private[jellyspark] override def size: Long = NTriplesSize.ofIri(value)

  private[jellyspark] override def sizeBound: Long = NTriplesSize.boundOfIri(value)

  private[terms] override def appendTo(out: java.lang.StringBuilder): Unit =
    NTriplesPrinter.appendIri(value, out)
}

/** A blank node. Its label is the one in the file, never renamed, as patches refer to it. */
final case class BlankNode(label: String) extends Term {
  private[jellyspark] override def size: Long = NTriplesSize.ofBlankNode(label)

  private[jellyspark] override def sizeBound: Long = NTriplesSize.boundOfBlankNode(label)

  private[terms] override def appendTo(out: java.lang.StringBuilder): Unit =
    NTriplesPrinter.appendBlankNode(label, out)
}

/** A literal. `lang` and `datatype` are null where it has none, and at most one of them is set. A
  * literal with neither has the datatype xsd:string.
  */
final case class Literal(lex: String, lang: String, datatype: String) extends Term {
  private[jellyspark] override def size: Long = NTriplesSize.ofLiteral(lex, lang, datatype)

  private[jellyspark] override def sizeBound: Long =
    NTriplesSize.boundOfLiteral(lex, lang, datatype)

  private[terms] override def appendTo(out: java.lang.StringBuilder): Unit =
    NTriplesPrinter.appendLiteral(lex, lang, datatype, out)
}

/** A quoted triple of RDF-star. */
final case class QuotedTriple(subject: Term, predicate: Term, obj: Term) extends Term {
  private[jellyspark] override def size: Long =
    NTriplesSize.AroundTriple + subject.size + predicate.size + obj.size

  private[jellyspark] override def sizeBound: Long =
    NTriplesSize.AroundTriple + subject.sizeBound + predicate.sizeBound + obj.sizeBound

  private[terms] override def appendTo(out: java.lang.StringBuilder): Unit = {
    out.append("<< ")
    subject.appendTo(out)
    out.append(' ')
    predicate.appendTo(out)
    out.append(' ')
    obj.appendTo(out)
    out.append(" >>")
    ()
  }
}

/** The default graph, where a graph is expected. It has no text. */
case object DefaultGraph extends Term {
  private[jellyspark] override def size: Long = 0

  private[jellyspark] override def sizeBound: Long = 0

  private[terms] override def appendTo(out: java.lang.StringBuilder): Unit =
    throw new IllegalArgumentException("the default graph has no N-Triples syntax")
}

object Literal {
  val XsdString = "http://www.w3.org/2001/XMLSchema#string"
  val RdfLangString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"

  /** A literal of xsd:string. */
  def simple(lex: String): Literal = Literal(lex, null, null)

  /** A literal with a language tag. An empty tag counts as no tag, as the reference reads it. */
  def tagged(lex: String, lang: String): Literal =
    Literal(lex, if (lang.isEmpty) null else lang, null)

  /** A literal with a datatype. A literal of xsd:string is the same term as a simple one (RDF 1.1
    * Concepts, section 3.3).
    */
  def typed(lex: String, datatype: String): Literal =
    Literal(lex, null, if (datatype == XsdString) null else datatype)
}

object QuotedTriple {

  /** How deep quoted triples may be nested. The reference reads no deeper either. */
  val MaxDepth = 63

  /** Fails for input whose quoted triples are nested deeper than [[MaxDepth]]. */
  private[jellyspark] def tooDeep(): Nothing =
    malformed(s"quoted triples nested at most $MaxDepth deep", "deeper nesting")

  /** Fails if a term of a quoted triple is missing in the input.
    *
    * @param term
    *   null if it is missing
    * @param what
    *   `subject`, `predicate` or `object`
    */
  private[jellyspark] def checkPresent(term: AnyRef, what: String): Unit =
    if (term == null) malformed("all terms of a quoted triple", s"no $what")
}
