package org.jellyspark.sql

import org.apache.spark.sql.catalyst.expressions.Expression

/** A column function, with the texts that `DESCRIBE FUNCTION EXTENDED` shows.
  *
  * @param name
  *   the name in SQL
  * @param usage
  *   what it does; `_FUNC_` stands for the name
  * @param arguments
  *   its arguments, one a line
  * @param examples
  *   statements with their results
  * @param build
  *   makes the expression of a call from its arguments
  */
private[sql] final case class SqlFunction(
    name: String,
    usage: String,
    arguments: String,
    examples: String,
    build: Seq[Expression] => Expression
)
