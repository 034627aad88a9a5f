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
  * @param offset
  *   byte offset of the frame (of its length, in delimited input)
  * @param row
  *   0-based row in the frame, lookup and options rows included; -1 for the frame itself
  */
final class MalformedPatchException(
    val file: String,
    val offset: Long,
    val row: Int,
    val expected: String,
    val found: String
) extends JellySparkException(
      s"$file: frame at byte $offset${if (row < 0) "" else s", row $row"}: " +
        s"expected $expected, found $found"
    )

/** A row that no stream with these options can hold, or that breaks a rule of the format.
  *
  * @param rule
  *   the rule that it breaks
  * @param row
  *   the row's content; null where the rule is about the end of the input
  */
final class UnwritableRowException(val rule: String, val row: String, cause: Throwable = null)
    extends JellySparkException(if (row == null) rule else s"$rule; in row $row", cause)
