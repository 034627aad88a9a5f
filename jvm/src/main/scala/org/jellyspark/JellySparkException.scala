package org.jellyspark

/** The base class of the exceptions that Jelly Spark throws on purpose.
  *
  * It extends `IllegalArgumentException`, because PySpark converts that class to a Python exception
  * with only the message.
  */
class JellySparkException(message: String, cause: Throwable = null)
    extends IllegalArgumentException(message, cause)

/** The name or the value of an option is not valid. The message lists the valid ones. */
final class OptionException(message: String) extends JellySparkException(message)

/** A log is broken, or has no such patch. */
final class LogException(message: String, cause: Throwable = null)
    extends JellySparkException(message, cause)

/** A string is not an RDF term in N-Triples syntax, or a term cannot be written as such a string.
  */
class InvalidTermException(message: String, cause: Throwable = null)
    extends JellySparkException(message, cause)

/** Malformed input: it breaks its format.
  *
  * @param file
  *   the path of the file, or `<stream>`
  * @param place
  *   the position in the file, for messages
  * @param offset
  *   the byte offset of the frame, or of the frame's length in delimited input; in a format without
  *   frames, of the row
  * @param row
  *   the 0-based ordinal of the row in its frame, including options and lookup rows, or -1 if the
  *   error is in the frame itself; in a format without frames, the 0-based ordinal of the row in
  *   the file, or -1 if the reader does not know it
  * @param expected
  *   what the format requires at this position
  * @param found
  *   what the input contains at this position
  * @param hint
  *   what the file looks like and what to do about it, if it looks like another kind of file;
  *   otherwise null
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

  /** Returns the same error with a hint. */
  private[jellyspark] def withHint(hint: String): MalformedInputException =
    if (hint == null) this
    else {
      val error = new MalformedInputException(file, place, offset, row, expected, found, hint)
      error.setStackTrace(getStackTrace)
      error
    }
}

object MalformedInputException {

  /** Creates an error about a row of a frame, or about the frame itself if `row` is -1. */
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

  /** Creates an error about a row of a binary format without frames. */
  def inRow(
      file: String,
      offset: Long,
      row: Long,
      expected: String,
      found: String
  ): MalformedInputException =
    new MalformedInputException(file, s"row $row at byte $offset", offset, row, expected, found)

  /** Creates an error about a row of a text format. The row begins on `line`, counted from 1. */
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

  /** Creates an error about a row of a text format whose reader has not seen the lines before it.
    */
  def atByte(
      file: String,
      offset: Long,
      expected: String,
      found: String
  ): MalformedInputException =
    new MalformedInputException(file, s"line at byte $offset", offset, -1, expected, found)
}

/** A row cannot be written: it breaks a rule of the format, or the options do not allow it.
  *
  * @param rule
  *   the rule that the row breaks
  * @param row
  *   the content of the row; null if the end of the input breaks the rule
  */
final class UnwritableRowException(val rule: String, val row: String, cause: Throwable = null)
    extends JellySparkException(if (row == null) rule else s"$rule; in row $row", cause)
