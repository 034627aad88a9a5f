package org.jellyspark.core.terms

/** Blank nodes as bytes. */
private[jellyspark] object BlankNodeText {

  /** Where the label begins in a canonical text. */
  final val LabelFrom = 2

  private val isStart = Array.tabulate(0x80)(NTriples.isLabelStart)
  private val isPart = Array.tabulate(0x80)(NTriples.isLabelPart)

  /** Whether a text, which begins with `_`, is canonical, and plain ASCII; others may be canonical
    * too.
    */
  def isPlain(bytes: Array[Byte], from: Int, to: Int): Boolean =
    from + LabelFrom < to && bytes(from + 1) == ':' && isPlainLabel(bytes, from + LabelFrom, to)

  /** Whether a label is plain ASCII, and stands as it is in a canonical text. */
  def isPlainLabel(bytes: Array[Byte], from: Int, to: Int): Boolean =
    from < to && bytes(to - 1) != '.' && bytes(from) >= 0 && isStart(bytes(from).toInt) && {
      var i = from + 1
      while (i < to && bytes(i) >= 0 && isPart(bytes(i).toInt)) i += 1
      i == to
    }
}
