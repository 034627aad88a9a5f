package org.jellyspark.sql

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo
import org.apache.spark.sql.classic.SparkSession

/** Makes the column functions known to sessions. */
private[jellyspark] object JellySparkExtensions {
  private val functions: Seq[SqlFunction] = TermFunctions.all

  /** Adds the functions to every session that is made with these extensions. */
  def addTo(extensions: SparkSessionExtensions): Unit = functions.foreach { function =>
    extensions.injectFunction((FunctionIdentifier(function.name), info(function), function.build))
  }

  /** Adds the functions to a session that was made before this jar was on the class path, and to the
    * sessions that are made of it.
    */
  def addTo(session: SparkSession): Unit = {
    addTo(RunningSession.extensionsOf(session))
    RunningSession.registerFunctions(session)
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
