package org.jellyspark.core

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

/** The place of a term in a row. It holds the term, or its text in N-Triples syntax, as a user gave
  * it: unchecked, canonical or not. Either is made of the other when it is asked for.
  *
  * @param column
  *   what errors call it
  */
final class TermCell private[core] (column: String) {
  // Null where there is only a text.
  private[this] var known: Term = _
  // Null where there is only a term.
  private[this] var text: Array[Byte] = _
  private[this] var start = 0
  private[this] var size = 0
  // The text that was parsed last, and its term: columns often repeat them.
  private[this] var parsedText: Array[Byte] = _
  private[this] var parsed: Term = _

  /** Whether there is no term here. */
  def isEmpty: Boolean = (known eq null) && (text eq null)

  def clear(): Unit = {
    known = null
    text = null
  }

  /** Puts a term here, or none: null, or the default graph. */
  def put(term: Term): Unit = {
    known = if (term eq DefaultGraph) null else term
    text = null
  }

  /** Puts the term here whose text is the `length` bytes from `from` on. They are not copied: they
    * stay as they are as long as they are here.
    */
  def putText(bytes: Array[Byte], from: Int, length: Int): Unit = {
    known = null
    text = bytes
    start = from
    size = length
  }

  /** The term; null if there is none.
    *
    * @throws RefusedException
    *   if the text is not one
    */
  def term: Term = {
    if ((known eq null) && (text ne null)) known = parse()
    known
  }

  /** What the text stands in, from [[from]] on; null if there is no term. */
  def bytes: Array[Byte] = {
    if ((text eq null) && (known ne null)) {
      text = known.utf8
      start = 0
      size = text.length
    }
    text
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
