package org.jellyspark.jelly

import org.jellyspark.core.OptionParser

/** Options for writing that the Jelly formats share beside those of terms. */
private[jellyspark] object StreamOptions {
  val FrameSizeKey = "frameSize"
  val DelimitedKey = "delimited"

  def frameSize(parser: OptionParser, default: Int): Int =
    parser.within(FrameSizeKey, 1, Int.MaxValue, default)

  def checkFrameSize(size: Int): Unit = OptionParser.check(FrameSizeKey, size, 1, Int.MaxValue)

  def delimited(parser: OptionParser): Boolean = parser.boolean(DelimitedKey, default = true)
}
