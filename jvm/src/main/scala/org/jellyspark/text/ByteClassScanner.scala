package org.jellyspark.text

import org.jellyspark.core.bytes.Swar

/** A byte-class scanner: finds the next byte of a set, eight bytes at a time (SWAR).
  *
  * Parsers use it to skip the bytes in between without testing each one. A NUL also ends a scan:
  * [[TextInput]] puts one after its last byte, so that the loop needs no bounds check.
  *
  * @param stops
  *   the bytes to stop at, all ASCII: at least one of them a space or below, and two or three of
  *   them above a space
  */
private[jellyspark] final class ByteClassScanner(stops: String) {
  import ByteClassScanner._

  private[this] val kinds = Array.tabulate[Byte](256) { b =>
    if (b == 0 || stops.indexOf(b) >= 0) Stop else if (b < 0x80) 0 else NotAscii
  }
  // Every byte below this one may be a stop byte; `kinds` then decides.
  private[this] val low = Swar.broadcast(stops.filter(_ <= ' ').max + 1)
  private[this] val others = stops.filter(_ > ' ').map(c => Swar.broadcast(c.toInt))
  private[this] val other0 = others.head
  private[this] val other1 = others(1)
  private[this] val other2 = others.last

  /** Whether a byte, as [[TextInput.peek]] returns it, is a stop byte or the end of the input. */
  def isStop(b: Int): Boolean = b == TextInput.End || (b > 0 && kinds(b) == Stop)

  /** Finds the next stop byte or NUL.
    *
    * @param limit
    *   the index of the NUL after the last byte
    * @return
    *   the index, shifted left by one; the lowest bit is set if any byte before it is not ASCII
    */
  def end(bytes: Array[Byte], from: Int, limit: Int): Long = {
    val lastWord = limit - 8
    var seen = 0
    var at = from
    var kind = 0
    while (kind != Stop) {
      var marks = 0L
      while (marks == 0 && at <= lastWord) {
        marks = marksOf(Swar.load(bytes, at))
        at += (if (marks == 0) 8 else Swar.firstMarked(marks))
      }
      kind = kinds(bytes(at) & 0xff).toInt
      if (kind == NotAscii) {
        seen = 1
        while (bytes(at) < 0) at += 1
      } else if (kind != Stop) at += 1
    }
    at.toLong << 1 | seen
  }

  /** Sets the highest bit of each byte that may stop the scan, and of each non-ASCII byte. */
  private def marksOf(word: Long): Long =
    Swar.nonAscii(word) | Swar.below(word, low) | Swar.equal(word, other0) |
      Swar.equal(word, other1) | Swar.equal(word, other2)
}

private object ByteClassScanner {
  private final val Stop: Byte = 1
  private final val NotAscii: Byte = 2
}
