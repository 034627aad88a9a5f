package org.jellyspark.jelly

import org.jellyspark.core.formats.OptionParser

/** Options for writing a Jelly stream that both formats have, in addition to [[TermOptions]]. */
private[jellyspark] object StreamOptions {
  val FrameSizeKey = "frameSize"
  val DelimitedKey = "delimited"
  val RestartIntervalKey = "restartInterval"

  /** The names of the options. */
  val Keys: Seq[String] = Seq(FrameSizeKey, DelimitedKey, RestartIntervalKey)

  /** The default restart interval, 32 MiB in bytes. */
  val DefaultRestartInterval: Long = 1L << 25

  /** The largest number of rows in a frame. */
  def frameSize(parser: OptionParser, default: Int): Int =
    parser.within(FrameSizeKey, 1, Int.MaxValue, default)

  /** Checks a frame size.
    *
    * @throws org.jellyspark.OptionException
    *   if the size is less than 1
    */
  def checkFrameSize(size: Int): Unit =
    OptionParser.check(FrameSizeKey, size.toLong, 1, Int.MaxValue.toLong)

  /** Whether each frame is preceded by its length. */
  def delimited(parser: OptionParser): Boolean = parser.boolean(DelimitedKey, default = true)

  /** The restart interval in bytes; 0 for no restart points. */
  def restartInterval(parser: OptionParser): Long =
    parser.within(RestartIntervalKey, 0, Long.MaxValue, DefaultRestartInterval)

  /** Checks a restart interval.
    *
    * @throws org.jellyspark.OptionException
    *   if the interval is negative
    */
  def checkRestartInterval(interval: Long): Unit =
    OptionParser.check(RestartIntervalKey, interval, 0, Long.MaxValue)
}
