package org.jellyspark.core.terms

import org.jellyspark.core.bytes.Utf8

/** Counts the bytes of text in UTF-8 that is appended to it, without storing the text. */
private[jellyspark] final class NTriplesSize extends Appendable {

  /** The number of bytes so far. */
  var bytes: Long = 0L

  /** Adds the bytes of a UTF-16 code unit. A surrogate counts as two of its pair's four bytes. */
  override def append(unit: Char): Appendable = {
    bytes += (if (Character.isSurrogate(unit)) 2L else Utf8.length(unit.toInt).toLong)
    this
  }

  override def append(text: CharSequence): Appendable = append(text, 0, text.length)

  override def append(text: CharSequence, from: Int, to: Int): Appendable = {
    var i = from
    while (i < to) {
      append(text.charAt(i))
      i += 1
    }
    this
  }
}

private[jellyspark] object NTriplesSize {

  /** The bytes around the terms of a triple term: `<<( `, two spaces and ` )>>`. */
  final val AroundTriple = 10L

  /** The most bytes that one UTF-16 code unit can become in an IRI or a blank node label: those of
    * `\u0020`.
    */
  private[terms] final val MaxPerUnit = 6L

  /** The size of a string in UTF-8. */
  def ofText(text: String): Long = {
    val size = new NTriplesSize
    size.append(text)
    size.bytes
  }
}
