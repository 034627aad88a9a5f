package org.jellyspark.sql.session

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions.{Expression, ExpressionInfo}
import org.apache.spark.sql.classic.SparkSession

import org.jellyspark.sql.digests.{DigestFunctions, PlanDigests}
import org.jellyspark.sql.logs.{LogFunctions, LogRules, RefuseWrites}
import org.jellyspark.sql.logs.commits.PlanRowLevelChanges
import org.jellyspark.sql.messages.{FormatFunctions, PruneMessageColumns}
import org.jellyspark.sql.terms.{SqlFunction, TermFunctions}

/** The session extensions of the jar: the column functions, the functions for digests and the table
  * functions, the rules for the tables of logs and the check of writes into their folders, the
  * optimizer rule that decodes only the columns of a message that a query reads, and the rule that
  * merges aggregations.
  */
private[jellyspark] object JellySparkExtensions {
  private val functions: Seq[SqlFunction[Expression]] =
    FormatFunctions.all ++ TermFunctions.all ++ DigestFunctions.all

  /** Adds the extensions to every session that is created with `extensions`. */
  def addTo(extensions: SparkSessionExtensions): Unit = {
    functions.foreach { function =>
      val name = FunctionIdentifier(function.name)
      extensions.injectFunction((name, info(function), function.build))
    }
    LogFunctions.all.foreach { function =>
      val name = FunctionIdentifier(function.name)
      extensions.injectTableFunction((name, info(function), function.build))
    }
    LogRules.resolution.foreach { rule =>
      extensions.injectResolutionRule(session => rule(session.asInstanceOf[SparkSession]))
    }
    extensions.injectCheckRule(session => new RefuseWrites(session.asInstanceOf[SparkSession]))
    extensions.injectPlanNormalizationRule { session =>
      new PlanRowLevelChanges(session.asInstanceOf[SparkSession])
    }
    extensions.injectOptimizerRule(_ => PruneMessageColumns)
    extensions.injectQueryStagePrepRule(_ => MergeAggregates)
    extensions.injectQueryStagePrepRule(_ => PlanDigests)
  }

  /** Adds the extensions to a session that was created before this jar was on the class path, and
    * to the sessions created from it.
    */
  def addTo(session: SparkSession): Unit = {
    addTo(RunningSession.extensionsOf(session))
    RunningSession.registerFunctions(session)
    session.experimental.extraOptimizations ++=
      Seq(PruneMessageColumns, new RefuseWrites(session).asOptimizerRule)
  }

  private def info(function: SqlFunction[_]): ExpressionInfo = new ExpressionInfo(
    getClass.getName.stripSuffix("$"),
    null, // database
    function.name,
    function.usage,
    function.arguments,
    function.examples,
    "", // note
    "misc_funcs", // the group, which must be one of Spark's own
    "", // since, which must be a version of Spark
    "", // deprecated
    "built-in" // the source, which must be one of Spark's own
  )
}
