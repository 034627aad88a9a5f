package org.jellyspark.source

import java.util.{HashMap => JavaHashMap, Map => JavaMap}

import org.apache.spark.SparkThrowable

import org.jellyspark.{JellySparkException, MalformedInputException}

/** Malformed input as an error of Spark's: with the condition and SQLSTATE that Spark has for files
  * that cannot be read. The cause is the error itself, whose message this has too.
  *
  * Spark passes an exception of a task on to the user as it is if it is a `SparkThrowable`. PySpark
  * shows its message alone, because it is an `IllegalArgumentException`.
  */
final class MalformedFileException(error: MalformedInputException)
    extends JellySparkException(error.getMessage, error)
    with SparkThrowable {
  override def getCondition: String = "FAILED_READ_FILE.NO_HINT"

  override def getSqlState: String = "KD001"

  /** The attributes of the error, as strings; `path` is Spark's own parameter of the condition. */
  override def getMessageParameters: JavaMap[String, String] = {
    val parameters = new JavaHashMap[String, String]
    parameters.put("path", error.file)
    parameters.put("place", error.place)
    parameters.put("offset", error.offset.toString)
    if (error.row >= 0) parameters.put("row", error.row.toString)
    parameters.put("expected", error.expected)
    parameters.put("found", error.found)
    if (error.hint != null) parameters.put("hint", error.hint)
    parameters
  }
}
