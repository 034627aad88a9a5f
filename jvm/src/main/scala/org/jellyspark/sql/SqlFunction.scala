package org.jellyspark.sql

import org.apache.spark.sql.catalyst.expressions.Expression

/** A column function, as `DESCRIBE FUNCTION EXTENDED` shows it. In the texts, `_FUNC_` stands for
  * the name.
  *
  * @param usage
  *   how to call it, and what it returns
  * @param arguments
  *   the section about the arguments, in the layout of Spark's own functions
  * @param examples
  *   the section of examples, likewise
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
