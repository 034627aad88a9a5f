package org.jellyspark.sql.logs

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.classic.SparkSession

/** The rules for logs in plans. */
private[sql] object LogRules {

  /** Creates the rules that the running version of Spark needs. */
  val resolution: Seq[SparkSession => Rule[LogicalPlan]] =
    Seq(new ResolveLogTables(_)) ++ Option.when(hasChangelogs)(new ResolveLogChanges(_))

  /** Whether Spark has change data capture, as it does since version 4.2. */
  private def hasChangelogs: Boolean =
    try Class.forName("org.apache.spark.sql.connector.catalog.Changelog") != null
    catch { case _: ClassNotFoundException => false }
}
