package org.jellyspark

/** The base class of all errors that Jelly Spark raises on purpose.
  *
  * It extends `IllegalArgumentException` because that is one of the few that PySpark turns into a
  * Python exception with the message alone.
  */
class JellySparkException(message: String, cause: Throwable = null)
    extends IllegalArgumentException(message, cause)

/** The name or value of an option is not valid. The message lists what is. */
final class OptionException(message: String) extends JellySparkException(message)

/** A string is not an RDF term in N-Triples syntax, or there is no such string for a term. */
class InvalidTermException(message: String, cause: Throwable = null)
    extends JellySparkException(message, cause)

/** Input that breaks its format.
  *
  * @param file
  *   the path of the file, or `<stream>`
  * @param place
  *   the place in the file, for messages
  * @param offset
  *   byte offset of the frame, or of the frame's length in delimited input; in a format without
  *   frames, of the row
  * @param row
  *   0-based ordinal of the row in its frame, options and lookup rows included, or -1 if the error
  *   is in the frame itself; in a format without frames, 0-based ordinal of the row in the file, or
  *   -1 if the reader does not know it
  * @param expected
  *   what the format has there
  * @param found
  *   what the input has there
  * @param hint
  *   what the file looks like, and what to do, if it looks like a file of another kind; else null
  */
final class MalformedInputException(
    val file: String,
    val place: String,
    val offset: Long,
    val row: Long,
    val expected: String,
    val found: String,
    val hint: String = null
) extends JellySparkException(
      s"$file: $place: expected $expected, found $found${if (hint == null) "" else s" ($hint)"}"
    ) {

  /** The same error, with a hint. */
  private[jellyspark] def withHint(hint: String): MalformedInputException =
    if (hint == null) this
    else {
      val error = new MalformedInputException(file, place, offset, row, expected, found, hint)
      error.setStackTrace(getStackTrace)
      error
    }
}

object MalformedInputException {

  /** An error in a row of a frame, or in the frame itself if `row` is -1. */
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

  /** An error in a row of a binary format without frames. */
  def inRow(
      file: String,
      offset: Long,
      row: Long,
      expected: String,
      found: String
  ): MalformedInputException =
    new MalformedInputException(file, s"row $row at byte $offset", offset, row, expected, found)

  /** An error in a row of a text format. The row begins on `line`, which is 1-based. */
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

  /** An error in a row of a text format, of a reader that has not seen the lines before it. */
  def atByte(
      file: String,
      offset: Long,
      expected: String,
      found: String
  ): MalformedInputException =
    new MalformedInputException(file, s"line at byte $offset", offset, -1, expected, found)
}

/** A row breaks a rule of the format, or no file with these options can hold it.
  *
  * @param rule
  *   the rule that the row breaks
  * @param row
  *   the content of the row; null if it is the end of the input that breaks the rule
  */
final class UnwritableRowException(val rule: String, val row: String, cause: Throwable = null)
    extends JellySparkException(if (row == null) rule else s"$rule; in row $row", cause)
