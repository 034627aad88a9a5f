package org.jellyspark.jelly

import org.jellyspark.core.NTriples

/** Blank nodes as bytes. */
private[jelly] object BlankNodeText {

  /** Where the label begins in a canonical text. */
  final val LabelFrom = 2

  private val isStart = Array.tabulate(0x80)(NTriples.isLabelStart)
  private val isPart = Array.tabulate(0x80)(NTriples.isLabelPart)

  /** Whether a text is canonical, and plain ASCII; others may be canonical too. */
  def isPlain(bytes: Array[Byte], from: Int, to: Int): Boolean = {
    var i = from + LabelFrom
    if (i >= to || bytes(from + 1) != ':' || bytes(to - 1) == '.') return false
    if (bytes(i) < 0 || !isStart(bytes(i).toInt)) return false
    while (i < to) {
      if (bytes(i) < 0 || !isPart(bytes(i).toInt)) return false
      i += 1
    }
    true
  }
}
