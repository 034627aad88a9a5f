package org.jellyspark.jelly

import org.jellyspark.core.formats.OptionParser

/** The options for writing a Jelly stream that both formats have. */
private[jellyspark] trait StreamOptions {
  import StreamOptions._

  /** The sizes of the lookup tables and the kinds of terms. */
  def terms: TermOptions

  /** The number of rows after which a frame ends. */
  def frameSize: Int

  /** Whether each frame is preceded by its length. */
  def delimited: Boolean

  /** The number of bytes after which delimited output gets a restart point; 0 for none. */
  def restartInterval: Long

  /** Checks the numbers.
    *
    * @throws org.jellyspark.OptionException
    *   if a number is out of range
    */
  protected final def checkNumbers(): Unit = {
    OptionParser.check(FrameSizeKey, frameSize.toLong, 1, Int.MaxValue.toLong)
    OptionParser.check(RestartIntervalKey, restartInterval, 0, Long.MaxValue)
  }
}

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

  /** Whether each frame is preceded by its length. */
  def delimited(parser: OptionParser): Boolean = parser.boolean(DelimitedKey, default = true)

  /** The restart interval in bytes; 0 for no restart points. */
  def restartInterval(parser: OptionParser): Long =
    parser.within(RestartIntervalKey, 0, Long.MaxValue, DefaultRestartInterval)
}
