package org.jellyspark.jena.riot

/** The error that ends a file: what is expected and found, as in
  * [[org.jellyspark.MalformedInputException]].
  *
  * It has no stack trace, because it describes the file.
  *
  * @param line
  *   the line, from 1; 0 if it is not known
  * @param column
  *   the column, from 1; 0 if it is not known
  */
private[riot] final class InputError(
    val expected: String,
    val found: String,
    val line: Long = 0,
    val column: Long = 0
) extends RuntimeException(expected, null, false, false)
