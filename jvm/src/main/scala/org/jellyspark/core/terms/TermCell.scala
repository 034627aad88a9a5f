package org.jellyspark.core.terms

import java.nio.charset.StandardCharsets.UTF_8
import java.util.Arrays

import org.jellyspark.core.bytes.Utf8
import org.jellyspark.core.errors.RefusedException

/** A cell of a row, for a term. It holds the term, its text, or both. Each is computed from the
  * other on first use.
  *
  * The text is N-Triples as a user provided it. It is not checked before the term is requested, and
  * need not be canonical. If the cell was filled with a term, the text is canonical.
  *
  * @param column
  *   the name of the cell's column, for error messages
  */
final class TermCell private[core] (column: String) {
  private[this] var hasTerm = false
  private[this] var held: Term = _
  private[this] var hasText = false
  private[this] var text: Array[Byte] = _
  private[this] var start = 0
  private[this] var size = 0
  // The text that was parsed last and its term, because columns often repeat a value.
  private[this] var parsedText: Array[Byte] = _
  private[this] var parsed: Term = _

  /** Whether the cell has neither a term nor a text. */
  def isEmpty: Boolean = !hasTerm && !hasText

  /** Empties the cell. */
  def clear(): Unit = {
    hasTerm = false
    hasText = false
  }

  /** Sets the term. Null and the default graph empty the cell. */
  def put(term: Term): Unit = {
    hasTerm = (term ne null) && (term ne DefaultGraph)
    held = term
    hasText = false
  }

  /** Sets the text to the `length` bytes from `from` on. They are not copied, so they must not
    * change while the cell holds them.
    */
  def putText(bytes: Array[Byte], from: Int, length: Int): Unit = {
    hasTerm = false
    hasText = true
    // Storing a reference into an old-generation object triggers a GC write barrier, even if it is
    // the same reference.
    if (text ne bytes) text = bytes
    start = from
    size = length
  }

  /** The term; null if the cell is empty.
    *
    * @throws org.jellyspark.core.errors.RefusedException
    *   if the text is not a term
    */
  def term: Term = {
    if (hasText && !hasTerm) {
      held = parse()
      hasTerm = true
    }
    if (hasTerm) held else null
  }

  /** The array that holds the text, which is the [[length]] bytes from [[from]] on. Null if the
    * cell is empty.
    */
  def bytes: Array[Byte] = {
    if (hasTerm && !hasText) {
      text = held.utf8
      start = 0
      size = text.length
      hasText = true
    }
    if (hasText) text else null
  }

  /** The index at which the text begins. Valid after a call of [[bytes]]. */
  def from: Int = start

  /** The length of the text in bytes. Valid after a call of [[bytes]]. */
  def length: Int = size

  /** The text as it was provided, for error messages; null if the cell is empty. */
  def shown: String = if (bytes == null) null else new String(text, start, size, UTF_8)

  private def parse(): Term = {
    if (parsedText == null || !Arrays.equals(parsedText, 0, parsedText.length, text, start, end)) {
      val decoded = Utf8.decode(text, start, end)
      if (decoded == null)
        refuse(s"expected UTF-8, found ${Utf8.describeInvalid(text, start, end)}")
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
