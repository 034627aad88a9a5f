package org.jellyspark.source

import scala.jdk.CollectionConverters._

import org.jellyspark.MalformedInputException

/** Malformed input as the error that Spark has for files that cannot be read. The attributes of the
  * error are strings; `path` is Spark's own parameter.
  */
final class MalformedFileException(error: MalformedInputException)
    extends ConditionException(
      error.getMessage,
      error,
      "FAILED_READ_FILE.NO_HINT",
      "KD001",
      (Map(
        "path" -> error.file,
        "place" -> error.place,
        "offset" -> error.offset.toString,
        "expected" -> error.expected,
        "found" -> error.found
      ) ++ Option.when(error.row >= 0)("row" -> error.row.toString) ++
        Option(error.hint).map("hint" -> _)).asJava
    )
