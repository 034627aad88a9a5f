package org.jellyspark.sql.terms

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.expressions.Expression

/** A function in SQL and its documentation for `DESCRIBE FUNCTION EXTENDED`. In the texts, `_FUNC_`
  * stands for the name of the function.
  *
  * @param usage
  *   the call and what it returns
  * @param arguments
  *   the section about the arguments, in the layout of Spark's own functions
  * @param examples
  *   the section of examples, in the same layout
  * @param build
  *   creates the result of a call from its arguments: the expression of a column function, or the
  *   plan of a table function
  */
private[sql] final case class SqlFunction[+T](
    name: String,
    usage: String,
    arguments: String,
    examples: String,
    build: Seq[Expression] => T
)

private[sql] object SqlFunction {

  /** Returns the section about arguments, given their names and meanings. */
  def argumentsOf(parameters: Seq[(String, String)]): String = parameters
    .map { case (name, meaning) => s"\n      * $name - $meaning." }
    .mkString("\n    Arguments:", "", "\n  ")

  /** Throws Spark's error for a wrong number of arguments. */
  def refuseCount(name: String, expected: String, found: Int): Nothing =
    throw new AnalysisException(
      "WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
      Map(
        "functionName" -> s"`$name`",
        "expectedNum" -> expected,
        "actualNum" -> found.toString,
        "docroot" -> "https://spark.apache.org/docs/latest"
      )
    )
}
