package org.jellyspark.core

/** The input breaks its format; a reader adds where. */
private[jellyspark] final class MalformedRowException(val expected: String, val found: String)
    extends Exception(expected, null, false, false)

private[jellyspark] object MalformedRowException {
  def malformed(expected: String, found: String): Nothing =
    throw new MalformedRowException(expected, found)
}
