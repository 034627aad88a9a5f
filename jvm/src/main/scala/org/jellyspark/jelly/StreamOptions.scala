package org.jellyspark.jelly

import org.jellyspark.core.formats.OptionParser

/** Options for writing that the Jelly formats share beside those of terms. */
private[jellyspark] object StreamOptions {
  val FrameSizeKey = "frameSize"
  val DelimitedKey = "delimited"
  val RestartIntervalKey = "restartInterval"

  /** 32 MiB. */
  val DefaultRestartInterval: Long = 1L << 25

  def frameSize(parser: OptionParser, default: Int): Int =
    parser.within(FrameSizeKey, 1, Int.MaxValue, default)

  def checkFrameSize(size: Int): Unit =
    OptionParser.check(FrameSizeKey, size.toLong, 1, Int.MaxValue.toLong)

  def delimited(parser: OptionParser): Boolean = parser.boolean(DelimitedKey, default = true)

  def restartInterval(parser: OptionParser): Long =
    parser.within(RestartIntervalKey, 0, Long.MaxValue, DefaultRestartInterval)

  def checkRestartInterval(interval: Long): Unit =
    OptionParser.check(RestartIntervalKey, interval, 0, Long.MaxValue)
}
