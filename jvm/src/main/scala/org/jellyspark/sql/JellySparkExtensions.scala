package org.jellyspark.sql

import org.apache.spark.sql.{SparkSessionExtensions, SparkSessionExtensionsProvider}
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions.{Expression, ExpressionInfo}

/** Adds the column functions to each session. */
final class JellySparkExtensions extends SparkSessionExtensionsProvider {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    FormatFunctions.all.foreach { function =>
      val info = new ExpressionInfo(
        classOf[Expression].getName,
        null,
        function.name,
        function.usage,
        function.arguments,
        function.examples,
        "",
        "",
        "",
        "",
        "scala_udf"
      )
      extensions.injectFunction((FunctionIdentifier(function.name), info, function.build))
    }
    extensions.injectOptimizerRule(_ => PruneMessageColumns)
  }
}
