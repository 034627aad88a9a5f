package org.jellyspark.core.errors

/** Thrown if the input is malformed. A reader catches it and adds the file and the position; users
  * see a [[org.jellyspark.MalformedInputException]].
  *
  * It has no stack trace, because readers that skip malformed rows may catch many of them.
  */
private[jellyspark] final class MalformedRowException(val expected: String, val found: String)
    extends Exception(expected, null, false, false)

private[jellyspark] object MalformedRowException {

  /** The longest text that [[quoted]] shows whole, in characters. */
  final val ShownCharacters = 40

  /** What is expected where a stream throws a [[CorruptInputException]]. */
  val Undamaged = "undamaged compressed input"

  def malformed(expected: String, found: String): Nothing =
    throw new MalformedRowException(expected, found)

  /** Throws an error about a row of an unknown kind. */
  def noKind(): Nothing = malformed("a row of a known kind", "a row without a known field")

  /** Throws an error about text that is not valid UTF-8, which `found` describes. */
  def noUtf8(found: String): Nothing = malformed("UTF-8", found)

  /** Formats a text for an error message: in quotes, cut after [[ShownCharacters]], with control
    * characters escaped.
    */
  def quoted(text: String): String = {
    val out = new java.lang.StringBuilder("'")
    var count = 0
    var i = 0
    while (i < text.length && count <= ShownCharacters) {
      val c = text.codePointAt(i)
      if (count == ShownCharacters) out.append('…')
      else if (c < ' ' || c == 0x7f) out.append(f"\\u$c%04X")
      else out.appendCodePoint(c)
      count += 1
      i += Character.charCount(c)
    }
    out.append('\'').toString
  }
}
