package org.jellyspark.sql

import scala.jdk.CollectionConverters._

import org.jellyspark.UnwritableRowException
import org.jellyspark.source.ConditionException

/** A row that a message cannot hold, as the error that Spark has for arguments that are not valid.
  * The parameters `parameter` and `functionName` are Spark's own.
  *
  * @param function
  *   the name of the function
  * @param error
  *   the rule that the row breaks, and the row
  */
final class UnwritableMessageException(function: String, error: UnwritableRowException)
    extends ConditionException(
      s"$function: ${error.getMessage}",
      error,
      "INVALID_PARAMETER_VALUE",
      "22023",
      (Map("parameter" -> "`rows`", "functionName" -> s"`$function`", "rule" -> error.rule) ++
        Option(error.row).map("row" -> _)).asJava
    )
