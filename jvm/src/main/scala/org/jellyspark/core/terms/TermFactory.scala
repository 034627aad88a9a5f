package org.jellyspark.core.terms

import org.jellyspark.core.errors.RowLimit

/** Creates the values of terms and strings in the rows of one file. A decoder calls it with the
  * bytes of their components, and passes the values on without inspecting them: Spark's source
  * creates `UTF8String`s, `TermValues` creates [[Term]]s.
  *
  * A component is the bytes `[from, to)`. The caller may overwrite the array later. The components
  * of IRIs must be valid UTF-8. All others are checked, and a method returns null if one is not
  * valid UTF-8.
  */
abstract class TermFactory {

  /** The approximate memory, in bytes, of the values created so far. */
  final var made: Long = 0L

  /** Creates a string that is not a term, such as the name of a prefix. */
  def text(bytes: Array[Byte], from: Int, to: Int): AnyRef

  /** The prefix to pass to [[iri]] for an IRI without a prefix. */
  def noPrefix: AnyRef

  /** Creates a prefix to pass to [[iri]]. */
  def prefix(bytes: Array[Byte], from: Int, to: Int): AnyRef

  /** Creates an IRI from a value that [[prefix]] or [[noPrefix]] returned and the bytes of the
    * name.
    */
  def iri(prefix: AnyRef, name: Array[Byte], from: Int, to: Int): AnyRef

  def blankNode(label: Array[Byte], from: Int, to: Int): AnyRef

  /** Creates a literal with a language tag, which must not be empty. Throws a
    * `MalformedRowException` if the tag has a base direction that is not allowed.
    */
  def tagged(bytes: Array[Byte], from: Int, to: Int, tagFrom: Int, tagTo: Int): AnyRef

  /** The datatype to pass to [[typed]] for a literal without a datatype or with xsd:string. */
  def noDatatype: AnyRef

  /** Creates any other datatype to pass to [[typed]]. */
  def datatype(iri: Array[Byte], from: Int, to: Int): AnyRef

  /** Creates a literal with a datatype that [[datatype]] or [[noDatatype]] returned. */
  def typed(bytes: Array[Byte], from: Int, to: Int, datatype: AnyRef): AnyRef

  /** Creates a triple term from terms that this factory created. Use it only as a term of another
    * triple term, or as the argument of [[whole]].
    */
  def triple(subject: AnyRef, predicate: AnyRef, obj: AnyRef): AnyRef

  /** Creates the value of a triple term that is not a term of another one. */
  def whole(triple: AnyRef): AnyRef

  /** Creates a term from its canonical N-Triples text, `text[from, to)`, which must be valid UTF-8.
    * The caller must not change the array while the value is in use.
    */
  def canonical(text: Array[Byte], from: Int, to: Int): AnyRef

  /** Converts a term. */
  def of(term: Term): AnyRef

  /** The canonical N-Triples text, in UTF-8, of a term that this factory created. */
  def utf8(term: AnyRef): Array[Byte]

  /** The size in bytes of a string, or of a term in canonical N-Triples, that this factory created.
    */
  def size(value: AnyRef): Long
}

object TermFactory {

  /** Creates a factory for each file. */
  trait Provider extends Serializable {

    /** Creates a factory. It throws a `MalformedRowException` for a term that is longer than a row
      * may be.
      */
    def newFactory(limit: RowLimit): TermFactory
  }
}
