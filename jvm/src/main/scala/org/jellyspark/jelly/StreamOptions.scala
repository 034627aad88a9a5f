package org.jellyspark.jelly

import org.jellyspark.core.formats.OptionParser

/** Options for writing a Jelly stream that both formats have, beside [[TermOptions]]. */
private[jellyspark] object StreamOptions {
  val FrameSizeKey = "frameSize"
  val DelimitedKey = "delimited"
  val RestartIntervalKey = "restartInterval"

  /** The names of the options. */
  val Keys: Seq[String] = Seq(FrameSizeKey, DelimitedKey, RestartIntervalKey)

  /** 32 MiB, in bytes. */
  val DefaultRestartInterval: Long = 1L << 25

  /** The most rows of a frame. */
  def frameSize(parser: OptionParser, default: Int): Int =
    parser.within(FrameSizeKey, 1, Int.MaxValue, default)

  /** @throws org.jellyspark.OptionException
    *   if the size is not at least 1
    */
  def checkFrameSize(size: Int): Unit =
    OptionParser.check(FrameSizeKey, size.toLong, 1, Int.MaxValue.toLong)

  /** Whether frames are preceded by their length. */
  def delimited(parser: OptionParser): Boolean = parser.boolean(DelimitedKey, default = true)

  /** The restart interval in bytes; 0 for no restart points. */
  def restartInterval(parser: OptionParser): Long =
    parser.within(RestartIntervalKey, 0, Long.MaxValue, DefaultRestartInterval)

  /** @throws org.jellyspark.OptionException
    *   if the interval is negative
    */
  def checkRestartInterval(interval: Long): Unit =
    OptionParser.check(RestartIntervalKey, interval, 0, Long.MaxValue)
}
