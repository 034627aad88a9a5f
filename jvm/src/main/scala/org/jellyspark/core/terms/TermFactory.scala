package org.jellyspark.core.terms

import org.jellyspark.core.errors.RowLimit

/** Makes the values of terms and strings in the rows of one file. A decoder calls it with the bytes
  * of their parts, and hands the values on without looking into them: Spark's source makes
  * `UTF8String`s, `TermValues` makes [[Term]]s.
  *
  * A part is the bytes from `from` to before `to`. The caller may overwrite the array later. The
  * parts of IRIs must be UTF-8. All other parts are checked, and a method returns null if one is
  * not UTF-8.
  */
abstract class TermFactory {

  /** About how many bytes of memory the values take that were made so far. */
  final var made: Long = 0L

  /** A string that is not a term, such as the name of a prefix. */
  def text(bytes: Array[Byte], from: Int, to: Int): AnyRef

  /** The prefix for [[iri]] if an IRI has none. */
  def noPrefix: AnyRef

  /** A prefix for [[iri]]. */
  def prefix(bytes: Array[Byte], from: Int, to: Int): AnyRef

  /** An IRI, from a value that [[prefix]] or [[noPrefix]] returned and the bytes of the name. */
  def iri(prefix: AnyRef, name: Array[Byte], from: Int, to: Int): AnyRef

  def blankNode(label: Array[Byte], from: Int, to: Int): AnyRef

  /** A literal with a language tag, which must not be empty. */
  def tagged(bytes: Array[Byte], from: Int, to: Int, tagFrom: Int, tagTo: Int): AnyRef

  /** The datatype for [[typed]] if a literal has none, or xsd:string. */
  def noDatatype: AnyRef

  /** Another datatype for [[typed]]. */
  def datatype(iri: Array[Byte], from: Int, to: Int): AnyRef

  /** A literal with a datatype, which [[datatype]] or [[noDatatype]] returned. */
  def typed(bytes: Array[Byte], from: Int, to: Int, datatype: AnyRef): AnyRef

  /** A quoted triple of terms that this factory made. It may only be a term of another quoted
    * triple, or passed to [[whole]].
    */
  def quoted(subject: AnyRef, predicate: AnyRef, obj: AnyRef): AnyRef

  /** Makes the value of a quoted triple that is not a term of another one. */
  def whole(triple: AnyRef): AnyRef

  /** A term from its canonical N-Triples text, the bytes from `from` to before `to`, which are
    * UTF-8. The caller must not change the array as long as the value is in use.
    */
  def canonical(text: Array[Byte], from: Int, to: Int): AnyRef

  /** A term. */
  def of(term: Term): AnyRef

  /** The canonical N-Triples text of a term that this factory made, UTF-8. */
  def utf8(term: AnyRef): Array[Byte]

  /** The number of bytes of a text, or of a term in canonical N-Triples, that this factory made. */
  def size(value: AnyRef): Long
}

object TermFactory {

  /** Makes a factory for each file. */
  trait Provider extends Serializable {

    /** A new factory. It raises a `MalformedRowException` for a term that is longer than a row may
      * be.
      */
    def newFactory(limit: RowLimit): TermFactory
  }
}
