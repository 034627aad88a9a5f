package org.jellyspark.formats.rdfpatch

import org.jellyspark.core.bytes.Swar

/** What a token is mostly made of: any bytes but some, at which it is to be looked at closely.
  *
  * @param stops
  *   those bytes, ASCII; at most three of them above a space
  */
private[rdfpatch] final class Run(stops: String) {
  import Run._

  private[this] val kinds = Array.tabulate[Byte](256) { b =>
    if (b == 0 || stops.indexOf(b) >= 0) Stop else if (b < 0x80) 0 else NotAscii
  }
  // Bytes below may be stops.
  private[this] val low = Swar.broadcast(stops.filter(_ <= ' ').max + 1)
  private[this] val others = stops.filter(_ > ' ').map(c => Swar.broadcast(c.toInt))
  private[this] val other0 = others.head
  private[this] val other1 = others(1)
  private[this] val other2 = others.last

  /** Whether a byte that was peeked at is a stop, or there is none. */
  def isStop(b: Int): Boolean = b < 0 || (b > 0 && kinds(b) == Stop)

  /** Finds the next stop; `bytes` has one, or a zero.
    *
    * @param limit
    *   where the zero is that stands at the end
    * @return
    *   where it is, twice; plus one if there are bytes before that are not ASCII
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

  private def marksOf(word: Long): Long =
    Swar.nonAscii(word) | Swar.below(word, low) | Swar.equal(word, other0) |
      Swar.equal(word, other1) | Swar.equal(word, other2)
}

private object Run {
  private final val Stop: Byte = 1
  private final val NotAscii: Byte = 2
}
