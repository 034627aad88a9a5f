package org.jellyspark.core.terms

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.RowLimit

/** Creates [[Term]]s and `String`s. */
private[jellyspark] final class TermValues extends TermFactory {
  import TermValues.ObjectSize

  override def text(bytes: Array[Byte], from: Int, to: Int): String = {
    made += ObjectSize + 2L * (to - from)
    Utf8.decode(bytes, from, to)
  }

  override def noPrefix: String = ""

  override def prefix(bytes: Array[Byte], from: Int, to: Int): String = text(bytes, from, to)

  override def iri(prefix: AnyRef, name: Array[Byte], from: Int, to: Int): Term = {
    val start = prefix.asInstanceOf[String]
    made += 2L * start.length
    Iri(start + text(name, from, to))
  }

  override def blankNode(label: Array[Byte], from: Int, to: Int): Term = {
    val text = this.text(label, from, to)
    if (text == null) null else BlankNode(text)
  }

  override def tagged(bytes: Array[Byte], from: Int, to: Int, tagFrom: Int, tagTo: Int): Term = {
    val lex = text(bytes, from, to)
    val tag = text(bytes, tagFrom, tagTo)
    if (lex == null || tag == null) null else Literal.tagged(lex, BaseDirection.check(tag))
  }

  override def noDatatype: String = Literal.XsdString

  override def datatype(iri: Array[Byte], from: Int, to: Int): String = text(iri, from, to)

  override def typed(bytes: Array[Byte], from: Int, to: Int, datatype: AnyRef): Term = {
    val lex = text(bytes, from, to)
    if (lex == null) null else Literal.typed(lex, datatype.asInstanceOf[String])
  }

  override def triple(subject: AnyRef, predicate: AnyRef, obj: AnyRef): Term = TripleTerm(
    subject.asInstanceOf[Term],
    predicate.asInstanceOf[Term],
    obj.asInstanceOf[Term]
  )

  /** Counts the text, which a column keeps with the term once it is requested. */
  override def whole(triple: AnyRef): AnyRef = {
    made += triple.asInstanceOf[Term].size
    triple
  }

  override def canonical(text: Array[Byte], from: Int, to: Int): Term = {
    made += ObjectSize + 2L * (to - from)
    NTriples.parse(Utf8.decode(text, from, to))
  }

  override def of(term: Term): Term = {
    made += ObjectSize + 2L * term.sizeBound
    term
  }

  override def utf8(term: AnyRef): Array[Byte] = term.asInstanceOf[Term].utf8

  override def size(value: AnyRef): Long = value match {
    case term: Term => term.size
    case text       => NTriplesSize.ofText(text.asInstanceOf[String])
  }
}

object TermValues extends TermFactory.Provider {
  // The approximate memory, in bytes, of a term and its string without the characters.
  private final val ObjectSize = 72L

  override def newFactory(limit: RowLimit): TermFactory = new TermValues
}
