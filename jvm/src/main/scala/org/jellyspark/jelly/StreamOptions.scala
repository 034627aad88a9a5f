package org.jellyspark.jelly

import org.jellyspark.core.formats.OptionParser
import org.jellyspark.core.rows.Column

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

  /** The columns whose terms readers can look up in the index, to skip restart ranges. */
  def indexColumns: Set[Column]

  /** The number of bits in the index for each term of such a column. */
  def indexFilterBits: Int

  /** Whether the output can have restart points. */
  private[jelly] final def hasRestarts: Boolean = delimited && restartInterval > 0

  /** Checks the numbers.
    *
    * @throws org.jellyspark.OptionException
    *   if a number is out of range
    */
  protected final def checkNumbers(): Unit = {
    OptionParser.check(FrameSizeKey, frameSize.toLong, 1, Int.MaxValue.toLong)
    OptionParser.check(RestartIntervalKey, restartInterval, 0, Long.MaxValue)
    val bits = indexFilterBits.toLong
    OptionParser.check(IndexFilterBitsKey, bits, MinFilterBits.toLong, MaxFilterBits.toLong)
    indexColumns.find(!TermColumns.contains(_)).foreach { column =>
      throw OptionParser.invalid(IndexColumnsKey, column.name, IndexColumnsRule)
    }
  }
}

private[jellyspark] object StreamOptions {
  val FrameSizeKey = "frameSize"
  val DelimitedKey = "delimited"
  val RestartIntervalKey = "restartInterval"
  val IndexColumnsKey = "indexColumns"
  val IndexFilterBitsKey = "indexFilterBits"

  /** The names of the options of filters in the index. */
  val IndexKeys: Seq[String] = Seq(IndexColumnsKey, IndexFilterBitsKey)

  /** The names of the options. */
  val Keys: Seq[String] = Seq(FrameSizeKey, DelimitedKey, RestartIntervalKey) ++ IndexKeys

  /** The default restart interval, 32 MiB in bytes. */
  val DefaultRestartInterval: Long = 1L << 25

  /** The default number of bits for each term in a filter. */
  val DefaultFilterBits: Int = 10

  private val MinFilterBits = 4
  private val MaxFilterBits = 32

  /** The columns that can have filters in the index. */
  val TermColumns: Seq[Column] =
    Seq(Column.Subject, Column.Predicate, Column.Object, Column.Graph)

  private val IndexColumnsRule = s"a comma-separated list of: ${TermColumns.mkString(", ")}"

  /** The largest number of rows in a frame. */
  def frameSize(parser: OptionParser, default: Int): Int =
    parser.within(FrameSizeKey, 1, Int.MaxValue, default)

  /** Whether each frame is preceded by its length. */
  def delimited(parser: OptionParser): Boolean = parser.boolean(DelimitedKey, default = true)

  /** The restart interval in bytes; 0 for no restart points. */
  def restartInterval(parser: OptionParser): Long =
    parser.within(RestartIntervalKey, 0, Long.MaxValue, DefaultRestartInterval)

  /** The columns that have filters in the index. */
  def indexColumns(parser: OptionParser): Set[Column] = {
    val text = parser.text(IndexColumnsKey, "")
    val names = if (text.trim.isEmpty) Nil else text.split(",", -1).map(_.trim).toSeq
    names.map { name =>
      TermColumns
        .find(_.name.equalsIgnoreCase(name))
        .getOrElse(throw OptionParser.invalid(IndexColumnsKey, text, IndexColumnsRule))
    }.toSet
  }

  /** The number of bits of a filter for each term. */
  def indexFilterBits(parser: OptionParser): Int =
    parser.within(IndexFilterBitsKey, MinFilterBits, MaxFilterBits, DefaultFilterBits)
}
