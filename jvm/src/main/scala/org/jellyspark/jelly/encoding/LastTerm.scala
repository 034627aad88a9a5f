package org.jellyspark.jelly.encoding

import java.util.Arrays

import org.jellyspark.jelly.frames.TermHashes

/** The canonical text of the last term in a position, such as the subject.
  *
  * Jelly omits a term that repeats the last one of its position (Jelly-RDF, "Repeated terms"). Each
  * term has exactly one canonical text, so a comparison of bytes tells whether a term repeats. For
  * a term that is not given in canonical form, its canonical text is compared.
  *
  * @param hashes
  *   collects the terms of the position for the index; null if the index has no filters of it
  * @param isPredicate
  *   whether the position is that of predicates, whose order often repeats
  */
private[jelly] final class LastTerm(hashes: TermHashes = null, val isPredicate: Boolean = false) {
  import LastTerm._

  /** The last prefix of an IRI in this position, because the next IRI often has the same one. It
    * may have left the lookup since. Null if there was none.
    */
  var prefix: LookupEntry = _

  /** The index in the cache of IRIs of the last IRI in this position that was there; `NoPlace`
    * before the first one.
    */
  var place: Int = IriCache.NoPlace

  private[this] var text = NoBytes
  private[this] var length = NoTerm
  // The array into which texts are copied.
  private[this] var own = NoBytes

  /** Ensures that the next term is not treated as a repetition, or as one that follows another. */
  def forget(): Unit = {
    length = NoTerm
    place = IriCache.NoPlace
  }

  /** Whether the text of the last term is the `length` bytes from `from` on. */
  def is(bytes: Array[Byte], from: Int, length: Int): Boolean =
    length == this.length && Arrays.equals(text, 0, length, bytes, from, from + length)

  /** Sets the text to an array that never changes. */
  def share(text: Array[Byte]): Unit = {
    if (this.text ne text) this.text = text
    length = text.length
    if (hashes ne null) hashes.add(text, 0, length)
  }

  /** Sets the text to a copy of the `length` bytes from `from` on. */
  def copy(bytes: Array[Byte], from: Int, length: Int): Unit = {
    if (length > own.length || own.length > KeptSize) {
      own = new Array[Byte](if (length > KeptSize) length else 2 * length)
    }
    System.arraycopy(bytes, from, own, 0, length)
    // Storing a reference into an old-generation object triggers a GC write barrier, even if it is
    // the same reference.
    if (text ne own) text = own
    this.length = length
    if (hashes ne null) hashes.add(own, 0, length)
  }
}

private object LastTerm {
  private val NoBytes = Array.emptyByteArray
  // Stands for the length of the text if there is no last term.
  private final val NoTerm = -1
  // The longest array to keep for other texts, in bytes.
  private final val KeptSize = 1 << 20
}

/** The last graph of a stream: a term, the default graph, or none yet.
  *
  * @param hashes
  *   see [[LastTerm]]
  */
private[jelly] final class LastGraph(hashes: TermHashes) {
  import LastGraph._

  private[this] var state = NoGraph

  /** The last graph, if it is a term. */
  val term: LastTerm = new LastTerm(hashes)

  def isDefault: Boolean = state == Default

  /** Whether the last graph is the default graph, or there has been no graph yet. */
  def isDefaultOrNone: Boolean = state == Default || state == NoGraph

  /** Records that the last graph is the one to which [[term]] was set. */
  def setTerm(): Unit = state = Named

  def setDefault(): Unit = {
    state = Default
    term.forget()
  }

  /** Begins another stream, in which no graph has been written yet. */
  def startStream(): Unit = {
    state = NoGraph
    term.forget()
  }

  /** Ensures that the next graph is not treated as a repetition, nor the last one as the default
    * graph.
    */
  def forget(): Unit = {
    state = Forgotten
    term.forget()
  }
}

private object LastGraph {
  private final val NoGraph = 0
  private final val Default = 1
  private final val Named = 2
  private final val Forgotten = 3
}
