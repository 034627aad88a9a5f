package org.jellyspark.core.terms

import java.nio.charset.StandardCharsets.US_ASCII

import org.jellyspark.core.bytes.Swar

/** Tests parts of canonical N-Triples as bytes, without creating strings. */
private[jellyspark] object NTriplesBytes {

  /** The index at which the label begins in the text of a blank node: the length of `_:`. */
  final val LabelFrom = 2

  private val labelStarts = Array.tabulate(0x80)(NTriplesChars.isLabelStart)
  private val labelParts = Array.tabulate(0x80)(NTriplesChars.isLabelPart)

  /** Whether a byte is an ASCII character with which a label may begin. */
  def isLabelStart(b: Byte): Boolean = b >= 0 && labelStarts(b.toInt)

  /** Whether a byte is an ASCII character that may follow the first one in a label. */
  def isLabelPart(b: Byte): Boolean = b >= 0 && labelParts(b.toInt)

  /** Whether a text that begins with `_` is the canonical text of a blank node with an ASCII label.
    * Also false for all non-ASCII labels.
    */
  def isAsciiBlankNode(bytes: Array[Byte], from: Int, to: Int): Boolean =
    from + LabelFrom < to && bytes(from + 1) == ':' && isAsciiLabel(bytes, from + LabelFrom, to)

  /** Whether a label is ASCII and can be written after `_:` in canonical N-Triples. Also false for
    * all non-ASCII labels.
    */
  def isAsciiLabel(bytes: Array[Byte], from: Int, to: Int): Boolean =
    from < to && bytes(to - 1) != '.' && isLabelStart(bytes(from)) && {
      var i = from + 1
      while (i < to && isLabelPart(bytes(i))) i += 1
      i == to
    }

  /** Returned instead of an index if a text is no language tag. */
  final val NoTag = -1

  /** Returns the index after the language in a language tag: `to`, or the index of the `--` before
    * a base direction.
    *
    * Returns [[NoTag]] if canonical N-Triples does not write the tag, or writes it with escapes.
    */
  def endOfLanguage(bytes: Array[Byte], from: Int, to: Int): Int = {
    var i = from
    while (i < to && NTriplesChars.isLanguageTagChar(bytes(i).toInt) && !isSeparator(bytes, i, to))
      i += 1
    if (i == to || (i > from && isDirection(bytes, i, to))) i else NoTag
  }

  private def isSeparator(bytes: Array[Byte], at: Int, to: Int): Boolean =
    bytes(at) == '-' && at + 1 < to && bytes(at + 1) == '-'

  /** The number of bytes of `--` and a base direction. */
  final val DirectionSize = 5

  /** Whether a text is `--` and a base direction. */
  def isDirection(bytes: Array[Byte], from: Int, to: Int): Boolean =
    to - from == DirectionSize && {
      val word = Swar.loadUpTo(bytes, from, to)
      word == Ltr || word == Rtl
    }

  private val Ltr = word("--ltr")
  private val Rtl = word("--rtl")

  private def word(text: String): Long =
    Swar.loadUpTo(text.getBytes(US_ASCII), 0, text.length)
}
