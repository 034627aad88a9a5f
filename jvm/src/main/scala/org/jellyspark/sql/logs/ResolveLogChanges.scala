package org.jellyspark.sql.logs

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.streaming.StreamingRelationV2
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.connector.catalog.Table
import org.apache.spark.sql.execution.datasources.v2.{ChangelogTable, DataSourceV2Relation}

/** Replaces the changes of logs by queries of the files of the logs, and by streams. It needs Spark
  * 4.2.
  *
  * A changelog is left alone until Spark has added the computation of net changes above it.
  */
private[logs] final class ResolveLogChanges(session: SparkSession) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperators {
    case relation: DataSourceV2Relation =>
      changesOf(relation.table, _.rows(session))
        .fold[LogicalPlan](relation)(ResolveLogTables.planOf(_, relation.output))
    case relation: StreamingRelationV2 =>
      changesOf(relation.table, _.stream(session))
        .fold[LogicalPlan](relation)(ResolveLogTables.planOf(_, relation.output))
  }

  private def changesOf(table: Table, query: LogChangelog => DataFrame): Option[DataFrame] =
    table match {
      case changes: ChangelogTable if changes.resolved =>
        Option(changes.changelog).collect { case log: LogChangelog => query(log) }
      case _ => None
    }
}
