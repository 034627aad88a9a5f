package org.jellyspark.core.terms

import java.util.Arrays

/** The IRIs of a position in which few different ones come again and again, such as the predicates
  * of a file, with what is made of them.
  *
  * Which IRI comes next is guessed from the two before it: statements about things of one kind
  * mostly have the same predicates in the same order. A right guess is found with one comparison.
  * It needs neither a scan for the IRI's end nor a hash.
  *
  * As in [[TermCache]], each IRI has one possible entry, and a new IRI evicts the one that occupies
  * it. A long IRI has no entry.
  */
private[jellyspark] final class RepeatedIris {
  import RepeatedIris._

  // Entries, which are only created when there is an IRI: readers of messages never need them.
  private[this] var texts: Array[Array[Byte]] = NoTexts
  private[this] var terms: Array[AnyRef] = NoTexts.asInstanceOf[Array[AnyRef]]
  // For a hash of two entries, the entry of the IRI that came after them the last time.
  private[this] var followers: Array[Int] = NoFollowers
  // The entry of the last IRI, and the hash of it and of the entry before it.
  private[this] var last = 0
  private[this] var lastTwo = 0
  private[this] var isKnown = false

  /** Whether the IRI set last has an entry. If not, there is neither a `text` nor a `term`. */
  def hasEntry: Boolean = isKnown

  /** The IRI, without brackets. Never changed. */
  def text: Array[Byte] = texts(last)

  /** What has been made of the IRI; null if nothing has. */
  def term: AnyRef = terms(last)

  /** Keeps what has been made of the IRI. */
  def term_=(made: AnyRef): Unit = terms(last) = made

  /** The length of the IRI that is expected next, if it begins at `at`; otherwise -1. Bytes of a
    * longer IRI may follow it.
    */
  def lengthOfGuess(bytes: Array[Byte], at: Int): Int = {
    val text = texts(followers(lastTwo))
    if (
      text != null && at + text.length <= bytes.length &&
      Arrays.equals(text, 0, text.length, bytes, at, at + text.length)
    ) text.length
    else -1
  }

  /** Sets the IRI to the one that was expected. */
  def setGuess(): Unit = {
    isKnown = true
    moveTo(followers(lastTwo))
  }

  /** Sets the IRI to `bytes[from, to)`, which must be one in canonical N-Triples. */
  def set(bytes: Array[Byte], from: Int, to: Int): Unit = {
    isKnown = to - from <= MaxLength
    if (isKnown) {
      if (texts eq NoTexts) create()
      val place = (TermCache.hashOf(bytes, from, to - from) >>> (64 - Bits)).toInt
      val text = texts(place)
      if (text == null || !Arrays.equals(text, 0, text.length, bytes, from, to)) {
        texts(place) = Arrays.copyOfRange(bytes, from, to)
        terms(place) = null
      }
      followers(lastTwo) = place
      moveTo(place)
    }
  }

  private def moveTo(place: Int): Unit = {
    lastTwo = (last * Mix + place) & (1 << Bits) - 1
    last = place
  }

  private def create(): Unit = {
    texts = new Array[Array[Byte]](1 << Bits)
    terms = new Array[AnyRef](1 << Bits)
    followers = new Array[Int](1 << Bits)
  }
}

private object RepeatedIris {
  private final val Bits = 12
  private final val MaxLength = 256 // bytes
  // Odd, so that two pairs with one entry in common have different hashes.
  private final val Mix = 37

  private val NoTexts = new Array[Array[Byte]](1)
  private val NoFollowers = new Array[Int](1)
}
