package org.jellyspark.core

/** Makes what stands for terms and texts in the rows of one file, of their parts in UTF-8, which
  * has been checked. Parts are from `from` to before `to`, and may be overwritten later.
  */
abstract class TermFactory {

  /** A text that is no term, as a prefix's name. */
  def text(bytes: Array[Byte], from: Int, to: Int): AnyRef

  /** An IRI, which stands in two parts. */
  def iri(
      prefix: Array[Byte],
      prefixFrom: Int,
      prefixTo: Int,
      name: Array[Byte],
      nameFrom: Int,
      nameTo: Int
  ): AnyRef

  def blankNode(label: Array[Byte], from: Int, to: Int): AnyRef

  /** A literal with a language tag, which is not empty.
    *
    * @param isPlain
    *   whether it is known that the lexical form has none of the characters that N-Triples escapes
    */
  def tagged(
      bytes: Array[Byte],
      from: Int,
      to: Int,
      isPlain: Boolean,
      tagFrom: Int,
      tagTo: Int
  ): AnyRef

  /** What [[typed]] takes for xsd:string, and where there is no datatype. */
  def noDatatype: AnyRef

  /** What [[typed]] takes for another datatype. */
  def datatype(iri: Array[Byte], from: Int, to: Int): AnyRef

  /** A literal with a datatype, or without, as [[tagged]] has it. */
  def typed(bytes: Array[Byte], from: Int, to: Int, isPlain: Boolean, datatype: AnyRef): AnyRef

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
