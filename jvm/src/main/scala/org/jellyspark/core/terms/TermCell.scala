package org.jellyspark.core.terms

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.RefusedException

/** The place of a term in a row. It holds the term, or its text in N-Triples syntax, as a user gave
  * it: unchecked, canonical or not. Either is made of the other when it is asked for.
  *
  * @param column
  *   what errors call it
  */
final class TermCell private[core] (column: String) {
  private[this] var hasTerm = false
  private[this] var known: Term = _
  private[this] var hasText = false
  private[this] var text: Array[Byte] = _
  private[this] var start = 0
  private[this] var size = 0
  // The text that was parsed last, and its term: columns often repeat them.
  private[this] var parsedText: Array[Byte] = _
  private[this] var parsed: Term = _

  /** Whether there is no term here. */
  def isEmpty: Boolean = !hasTerm && !hasText

  def clear(): Unit = {
    hasTerm = false
    hasText = false
  }

  /** Puts a term here, or none: null, or the default graph. */
  def put(term: Term): Unit = {
    hasTerm = (term ne null) && (term ne DefaultGraph)
    known = term
    hasText = false
  }

  /** Puts the term here whose text is the `length` bytes from `from` on. They are not copied: they
    * stay as they are as long as they are here.
    */
  def putText(bytes: Array[Byte], from: Int, length: Int): Unit = {
    hasTerm = false
    hasText = true
    // To store a reference is work for the garbage collector, even if it is the same.
    if (text ne bytes) text = bytes
    start = from
    size = length
  }

  /** The term; null if there is none.
    *
    * @throws RefusedException
    *   if the text is not one
    */
  def term: Term = {
    if (hasText && !hasTerm) {
      known = parse()
      hasTerm = true
    }
    if (hasTerm) known else null
  }

  /** What the text stands in, from [[from]] on; null if there is no term. */
  def bytes: Array[Byte] = {
    if (hasTerm && !hasText) {
      text = known.utf8
      start = 0
      size = text.length
      hasText = true
    }
    if (hasText) text else null
  }

  /** Where the text begins, once [[bytes]] was asked for. */
  def from: Int = start

  /** The number of the text's bytes, once [[bytes]] was asked for. */
  def length: Int = size

  /** The text for messages, as it was given; null if there is no term. */
  def shown: String = if (bytes == null) null else new String(text, start, size, UTF_8)

  private def parse(): Term = {
    if (parsedText == null || !Arrays.equals(parsedText, 0, parsedText.length, text, start, end)) {
      val decoded = Utf8.decode(text, start, end)
      if (decoded == null) refuse("expected UTF-8, found other bytes")
      parsed =
        try NTriples.parse(decoded)
        catch { case e: NTriples.SyntaxException => refuse(e.getMessage) }
      parsedText = Arrays.copyOfRange(text, start, end)
    }
    parsed
  }

  private def end: Int = start + size

  private def refuse(rule: String): Nothing = RefusedException.refuse(s"$column: $rule")
}
