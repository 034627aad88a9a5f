package org.jellyspark.sql

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo
import org.apache.spark.sql.classic.SparkSession

/** What sessions get from the jar besides the data sources: the column functions, and the rule that
  * has messages decoded only as far as a query reads them.
  */
private[jellyspark] object JellySparkExtensions {
  private val functions: Seq[SqlFunction] = FormatFunctions.all ++ TermFunctions.all

  /** Adds them to every session that is made with these extensions. */
  def addTo(extensions: SparkSessionExtensions): Unit = {
    functions.foreach { function =>
      extensions.injectFunction((FunctionIdentifier(function.name), info(function), function.build))
    }
    extensions.injectOptimizerRule(_ => PruneMessageColumns)
  }

  /** Adds them to a session that was made before this jar was on the class path, and to the
    * sessions that are made of it.
    */
  def addTo(session: SparkSession): Unit = {
    addTo(RunningSession.extensionsOf(session))
    RunningSession.registerFunctions(session)
    session.experimental.extraOptimizations :+= PruneMessageColumns
  }

  private def info(function: SqlFunction): ExpressionInfo = new ExpressionInfo(
    getClass.getName.stripSuffix("$"),
    null, // no database
    function.name,
    function.usage,
    function.arguments,
    function.examples,
    "", // note
    "misc_funcs", // a group: Spark accepts its own only
    "", // since: must be a version of Spark
    "", // deprecated
    "built-in" // as above
  )
}
