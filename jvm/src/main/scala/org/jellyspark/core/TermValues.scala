package org.jellyspark.core

import java.nio.charset.StandardCharsets.UTF_8

/** Makes [[Term]]s, and texts that are `String`s. */
private[jellyspark] final class TermValues extends TermFactory {

  override def text(bytes: Array[Byte], from: Int, to: Int): String =
    new String(bytes, from, to - from, UTF_8)

  override def iri(
      prefix: Array[Byte],
      prefixFrom: Int,
      prefixTo: Int,
      name: Array[Byte],
      nameFrom: Int,
      nameTo: Int
  ): Term = Iri(text(prefix, prefixFrom, prefixTo) + text(name, nameFrom, nameTo))

  override def blankNode(label: Array[Byte], from: Int, to: Int): Term =
    BlankNode(text(label, from, to))

  override def tagged(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      isPlain: Boolean,
      tagFrom: Int,
      tagTo: Int
  ): Term = Literal.tagged(text(bytes, from, to), text(bytes, tagFrom, tagTo))

  override def noDatatype: String = null

  override def datatype(iri: Array[Byte], from: Int, to: Int): String = text(iri, from, to)

  override def typed(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      isPlain: Boolean,
      datatype: AnyRef
  ): Term = Literal.typed(text(bytes, from, to), datatype.asInstanceOf[String])

  override def quoted(subject: AnyRef, predicate: AnyRef, obj: AnyRef): Term = QuotedTriple(
    subject.asInstanceOf[Term],
    predicate.asInstanceOf[Term],
    obj.asInstanceOf[Term]
  )

  override def utf8(term: AnyRef): Array[Byte] = term.asInstanceOf[Term].utf8
}

object TermValues extends TermFactory.Provider {
  override def newFactory(): TermFactory = new TermValues
}
