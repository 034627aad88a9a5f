package org.jellyspark

/** The base of every error that Jelly Spark raises on purpose.
  *
  * It is an `IllegalArgumentException` because PySpark turns those, and few others, into Python
  * exceptions with the message alone.
  */
class JellySparkException(message: String, cause: Throwable = null)
    extends IllegalArgumentException(message, cause)

/** An option's name or value is wrong; the message lists the valid ones. */
final class OptionException(message: String) extends JellySparkException(message)

/** Input that breaks its format.
  *
  * @param file
  *   the file's path, or `<stream>`
  * @param place
  *   where in the file, in words
  * @param offset
  *   byte offset of the frame (of its length, in delimited input); in a format without frames, of
  *   the row
  * @param row
  *   0-based row in the frame, lookup and options rows included, -1 for the frame itself; in a
  *   format without frames, ordinal of the row in the file
  */
final class MalformedInputException(
    val file: String,
    val place: String,
    val offset: Long,
    val row: Long,
    val expected: String,
    val found: String
) extends JellySparkException(s"$file: $place: expected $expected, found $found")

object MalformedInputException {

  /** In a row of a frame, or in a frame outside its rows. */
  def inFrame(
      file: String,
      offset: Long,
      row: Long,
      expected: String,
      found: String
  ): MalformedInputException = {
    val place = s"frame at byte $offset${if (row < 0) "" else s", row $row"}"
    new MalformedInputException(file, place, offset, row, expected, found)
  }

  /** In a row of a binary format without frames. */
  def inRow(
      file: String,
      offset: Long,
      row: Long,
      expected: String,
      found: String
  ): MalformedInputException =
    new MalformedInputException(file, s"row $row at byte $offset", offset, row, expected, found)

  /** In a row of a text format, which begins on the 1-based `line`. */
  def inLine(
      file: String,
      offset: Long,
      row: Long,
      line: Long,
      expected: String,
      found: String
  ): MalformedInputException = {
    val place = s"line $line (row $row, byte $offset)"
    new MalformedInputException(file, place, offset, row, expected, found)
  }
}

/** A row that no stream with these options can hold, or that breaks a rule of the format.
  *
  * @param rule
  *   the rule that it breaks
  * @param row
  *   the row's content; null where the rule is about the end of the input
  */
final class UnwritableRowException(val rule: String, val row: String, cause: Throwable = null)
    extends JellySparkException(if (row == null) rule else s"$rule; in row $row", cause)
