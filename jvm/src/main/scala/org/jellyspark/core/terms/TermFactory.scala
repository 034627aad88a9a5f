package org.jellyspark.core.terms

/** Makes what stands for terms and texts in the rows of one file, of their parts, which are from
  * `from` to before `to`, and may be overwritten later. Of IRIs they are UTF-8; of all else they
  * are checked, and null is made of what is not.
  */
abstract class TermFactory {

  /** A text that is no term, as a prefix's name. */
  def text(bytes: Array[Byte], from: Int, to: Int): AnyRef

  /** What [[iri]] takes where there is no prefix. */
  def noPrefix: AnyRef

  /** What [[iri]] takes for a prefix. */
  def prefix(bytes: Array[Byte], from: Int, to: Int): AnyRef

  /** An IRI of a prefix and the rest of it. */
  def iri(prefix: AnyRef, name: Array[Byte], from: Int, to: Int): AnyRef

  def blankNode(label: Array[Byte], from: Int, to: Int): AnyRef

  /** A literal with a language tag, which is not empty. */
  def tagged(bytes: Array[Byte], from: Int, to: Int, tagFrom: Int, tagTo: Int): AnyRef

  /** What [[typed]] takes for xsd:string, and where there is no datatype. */
  def noDatatype: AnyRef

  /** What [[typed]] takes for another datatype. */
  def datatype(iri: Array[Byte], from: Int, to: Int): AnyRef

  /** A literal with a datatype, or without. */
  def typed(bytes: Array[Byte], from: Int, to: Int, datatype: AnyRef): AnyRef

  /** A quoted triple of terms that were made here. */
  def quoted(subject: AnyRef, predicate: AnyRef, obj: AnyRef): AnyRef

  /** A term that was made here, in canonical N-Triples syntax, UTF-8. */
  def utf8(term: AnyRef): Array[Byte]
}

object TermFactory {

  /** Makes a factory. */
  trait Provider extends Serializable {
    def newFactory(): TermFactory
  }
}
